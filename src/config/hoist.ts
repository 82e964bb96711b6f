/**
 * Members of an entry that some dialects nest one level deeper, brought up.
 */
import { conflict } from "./fields.ts";
import type { Fields } from "./fields.ts";
import type { DiagnosticCode } from "./codes.ts";
import { wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { membersByKey, memberOf } from "./item.ts";
import type { Item } from "./item.ts";

/** A nested object whose members belong to the entry. */
interface Nest {
  readonly key: string;
  readonly renames: ReadonlyMap<string, string>;
  /** How it is told that this shape was met; some shapes are as good as the flat one. */
  readonly code?: DiagnosticCode;
  readonly message?: string;
  /** The one member that has a meaning here. */
  readonly only?: string;
}

const NESTS: readonly Nest[] = [
  {
    key: "command",
    renames: new Map([["path", "command"]]),
    code: "legacy-command-object",
    message: 'command is an object; write "command" and "args"',
  },
  {
    key: "transport",
    renames: new Map(),
    code: "nested-transport",
    message: "transport is an object; write its members beside it",
  },
  { key: "requestOptions", renames: new Map(), only: "headers" },
];

/** The members of an entry by key, flat; what stands at the entry itself wins. */
export function hoistedFields(entry: Item, report: Report): Fields {
  const fields = membersByKey(entry);
  for (const { key, renames, code, message, only } of NESTS) {
    const nest = memberOf(entry, key);
    if (nest !== undefined && only !== undefined) checkNest(nest, report);
    if (nest?.value.kind !== "object") continue;
    if (code !== undefined && message !== undefined) report({ code, at: nest, message });
    fields.delete(key);
    for (const [name, at] of membersByKey(nest)) {
      const flat = renames.get(name) ?? name;
      if (only !== undefined && name !== only) {
        report({ code: "unsupported-key", at, message: `${key}/${name} is not read` });
        continue;
      }
      const kind = fields.get(flat)?.value.kind ?? "null";
      if (kind === "null") fields.set(flat, at);
      else report(conflict(at, `${key}/${name}`, flat));
    }
  }
  for (const [key, at] of fields) if (at.value.kind === "undefined") fields.delete(key);
  return fields;
}

/** A nest that is nothing but one: any other value under its key is a mistake. */
function checkNest(nest: Item, report: Report): void {
  const { kind } = nest.value;
  if (kind !== "object" && kind !== "null" && kind !== "undefined") {
    report(wrongType(nest, "object"));
  }
}
