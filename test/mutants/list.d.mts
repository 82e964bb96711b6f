/** A small fault, and the test that must see it. */
export interface Mutant {
  /** The file of src it is planted in. */
  readonly file: string;
  /** Stands in the file once. */
  readonly find: string;
  readonly replace: string;
  readonly testFile: string;
  /** The whole name of the test, without those of the groups around it. */
  readonly test: string;
}

export const mutants: readonly Mutant[];
