/**
 * The types of the caller's fast-check; at run time the caller passes it.
 *
 * fast-check is an optional peer: the comment before the import keeps the package's declarations
 * free of errors where it is not installed.
 */
/** @ts-ignore: not installed where nobody generates anything */
import type fc from "fast-check";

/** What `import fc from "fast-check"` gives. */
export type FastCheck = typeof fc;

/** A generator of the caller's fast-check. */
export type Arbitrary<T> = fc.Arbitrary<T>;
