/**
 * Looks for a secret where it must not be.
 */

/** A place that holds the secret. */
export interface CanaryFinding {
  /** JSON pointer of the place in the value; a key is found under the pointer of its member. */
  readonly path: string;
  /** How it is written there. */
  readonly form: CanaryForm;
}

/** As it is, percent-encoded, with JSON escapes, or within base64 of either alphabet at any offset. */
export type CanaryForm = "plain" | "percent" | "escaped" | "base64" | "base64url";

/** Gives every place of a value that holds the secret. */
export type Canary = (value: unknown) => readonly CanaryFinding[];

interface Form {
  readonly form: CanaryForm;
  isIn(text: string): boolean;
}

/**
 * A search for a secret in any value: keys and values to any depth, maps and sets, errors and their
 * causes, bytes, getters and members that are not enumerable; each object once. Nothing is thrown.
 *
 * Choose a secret that stands nowhere by chance, of 8 characters or more.
 *
 * @example
 * ```ts
 * import { fromConfig } from "mcp-source";
 * import { canary } from "mcp-source/testing";
 * const secret = "canary-7f3a91";
 * const load = await fromConfig(
 *   { mcpServers: { x: { url: "http://127.0.0.1:1/mcp", headers: { "X-Key": "${KEY}" } } } },
 *   { env: { KEY: secret } },
 * );
 * canary(secret)(load); // []
 * ```
 */
export function canary(secret: string): Canary {
  const forms = formsOf(secret);
  return (value) => search(forms, value);
}

function formsOf(secret: string): readonly Form[] {
  if (secret === "") return [];
  const encodings = [0, 1, 2].map((offset) => base64Core(secret, offset));
  const base64url = encodings.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  const isAny = (parts: readonly string[]) => (text: string) =>
    parts.some((part) => part !== "" && text.includes(part));
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    { form: "plain", isIn: isAny([secret]) },
    {
      form: "percent",
      isIn: (text) =>
        !text.includes(secret) &&
        [text, text.replaceAll("+", " ")].some((form) => decodedPercent(form).includes(secret)),
    },
    { form: "escaped", isIn: isAny(escaped === secret ? [] : [escaped]) },
    { form: "base64", isIn: isAny(encodings) },
    { form: "base64url", isIn: isAny(base64url.filter((core, i) => core !== encodings[i])) },
  ];
}

/** The base64 digits that depend on the secret alone when so many bytes stand before it. */
function base64Core(secret: string, offset: number): string {
  const bytes = new TextEncoder().encode(secret);
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const digits = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(""));
  return digits.slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
}

/** Every run of percent-encoded bytes decoded; encoders differ in what else they encode. */
function decodedPercent(text: string): string {
  return text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = run
      .slice(1)
      .split("%")
      .map((hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
}

interface Place {
  readonly path: string;
  readonly value: unknown;
}

function search(forms: readonly Form[], value: unknown): readonly CanaryFinding[] {
  const findings: CanaryFinding[] = [];
  const seen = new Set<object>();
  // A stack of our own: values may be nested deeper than the call stack goes.
  const places: Place[] = [{ path: "", value }];
  const look = (path: string, text: string): void => {
    for (const { form, isIn } of forms) if (isIn(text)) findings.push({ path, form });
  };
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { path, value: found } = place;
    const text = unlessRefused(() => textOf(found));
    if (text !== undefined) look(path, text);
    if ((typeof found === "object" && found !== null) || typeof found === "function") {
      if (seen.has(found)) continue;
      seen.add(found);
      for (const [key, member] of unlessRefused(() => membersOf(found)) ?? []) {
        const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        look(at, key);
        places.push({ path: at, value: member });
      }
    }
  }
  return findings.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** What reads as a text of its own: words, symbols, and bytes of any view. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "symbol") return value.description;
  if (ArrayBuffer.isView(value))
    return new TextDecoder().decode(
      new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
    );
  return value instanceof ArrayBuffer ? new TextDecoder().decode(value) : undefined;
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return [];
  const inside: (readonly [string, unknown])[] = [];
  if (value instanceof Map) {
    for (const [key, member] of value) inside.push([String(inside.length), [key, member]]);
  } else if (value instanceof Set) {
    for (const member of value) inside.push([String(inside.length), member]);
  }
  return [...inside, ...ownMembers(value)];
}

function ownMembers(value: object): readonly (readonly [string, unknown])[] {
  return Reflect.ownKeys(value).map((key) => {
    const name = typeof key === "symbol" ? (key.description ?? "") : key;
    return [name, unlessRefused((): unknown => Reflect.get(value, key))] as const;
  });
}

/** A proxy may refuse and a getter may throw: what cannot be read leaks nothing. */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
