/**
 * Names that stand twice where one is meant; only text and lists can have them.
 */
import { quoted } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import type { Entry, Item, Member, Value } from "./item.ts";

/** Reports the repeated keys of every object at and below a place of a text. */
export function reportDuplicateKeys(at: Item, report: Report): void {
  const { value } = at;
  if (value.kind === "array") for (const item of value.items) reportDuplicateKeys(item, report);
  if (value.kind !== "object") return;
  reportRepeated(value.members, report);
  for (const { item } of value.members) reportDuplicateKeys(item, report);
}

/** Reports the repeated keys among some members: an error when they say different things. */
export function reportRepeated(members: readonly Member[], report: Report): void {
  for (const [key, [first, ...others]] of groups(members, (member) => member.key)) {
    const last = others.at(-1);
    if (first === undefined || last === undefined) continue;
    const times = others.length === 1 ? "twice" : `${others.length + 1} times`;
    const isSame = others.every(({ item }) => sameText(item.value) === sameText(first.item.value));
    report({
      code: "duplicate-key",
      at: last.item,
      message: `${quoted(key)} appears ${times}; the last one is used`,
      ...(isSame && { severity: "warning" }),
    });
  }
}

/** Reports the entries of a list that share a name; the kept one is given. */
export function reportDuplicateNames(all: readonly Entry[], report: Report): void {
  for (const [name, group] of groups(all, (entry) => entry.name)) {
    const last = group.at(-1);
    if (last === undefined || group.length === 1) continue;
    const message = `${quoted(name)} appears ${group.length} times; the last one is used`;
    report({ code: "duplicate-key", at: last.item, message });
  }
}

/** `Map.groupBy`, which Node 20 does not have. */
function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const group = byKey.get(keyOf(item));
    if (group === undefined) byKey.set(keyOf(item), [item]);
    else group.push(item);
  }
  return byKey;
}

/** A text that is the same for values that say the same. */
function sameText(value: Value): string {
  switch (value.kind) {
    case "object": {
      const last = new Map(value.members.map(({ key, item }) => [key, sameText(item.value)]));
      const members = [...last].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
      return `{${members.sort().join(",")}}`;
    }
    case "array":
      return `[${value.items.map((item) => sameText(item.value)).join(",")}]`;
    case "string":
      return JSON.stringify(value.text);
    case "number":
      return String(value.number);
    case "boolean":
      return String(value.flag);
    default:
      return value.kind;
  }
}
