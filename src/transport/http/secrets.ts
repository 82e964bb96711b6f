/**
 * Secrets that become known while a connection lives: session ids, and what the authorize hook gives.
 */
import { encodedForms } from "../../redact.ts";
import type { Redact } from "../../redact.ts";

/** The redaction of one connection, which learns. */
export interface Secrets {
  readonly redact: Redact;
  /** From now on this value is replaced by `«NAME»`; values shorter than 6 characters are not. */
  learn(name: string, value: string): void;
}

const SHORTEST = 6;
const KEPT = 1024;

/** A redaction that begins as `base`. */
export function createSecrets(base: Redact): Secrets {
  const learned = new Map<string, string>();
  return {
    redact: (text) => {
      let redacted = guarded(base, text);
      for (const [value, name] of learned) redacted = redacted.replaceAll(value, name);
      return redacted;
    },
    learn: (name, value) => {
      for (const part of [value, value.slice(value.lastIndexOf(" ") + 1)]) {
        for (const spelling of encodedForms(part)) {
          if (spelling.length >= SHORTEST) learned.set(spelling, `«${name}»`);
        }
      }
      // Tokens rotate for as long as a connection lives; the newest are the ones a peer can echo.
      for (const oldest of learned.keys()) {
        if (learned.size <= KEPT) break;
        learned.delete(oldest);
      }
    },
  };
}

/** Redaction is the caller's code, and runs where nobody could catch what it throws. */
function guarded(redact: Redact, text: string): string {
  try {
    return redact(text);
  } catch {
    return "«redaction failed»";
  }
}
