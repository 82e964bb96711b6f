/** One thing that is fuzzed. */
export interface Target {
  readonly name: string;
  /** Fails by throwing. */
  check(input: unknown): unknown;
}

export const TARGETS: ReadonlyMap<string, Target>;
