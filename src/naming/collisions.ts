import { isObject } from "../json.ts";
import { compareCodePoints } from "../order.ts";
import { hashedNames, isExactName, stableName, toolName } from "./names.ts";

/** A remote tool: the server it is on and its name there. */
export interface ToolPair {
  /** The server's key as written in the config. */
  readonly server: string;
  /** The tool's name as the server lists it. */
  readonly remoteName: string;
}

/** A listed tool together with its exposed name. */
export type Named<T> = T & { readonly name: string };

/** The `stable` rule with a cap of one's own. */
export interface StableRule {
  readonly kind: "stable";
  /** The longest name allowed, 64 unless given; less than 32 counts as 32. */
  readonly maxLength?: number;
}

/**
 * How exposed names are made.
 *
 * `plain`: `sanitize(server)_sanitize(tool)`, and a hash for whoever meets another tool on that.
 * `stable`: as `stableName` says, from the pair alone, so that adding a server renames nothing.
 */
export type NamingRule = "plain" | "stable" | StableRule;

/**
 * Why tools met on one name; a closed list, never free text.
 *
 * `replaced`: some character was replaced by `_`. `joint`: nothing was, but the server of one ends
 * elsewhere (`a_b` + `c`, `a` + `b_c`). `hash`: under the stable rule, two hashes are equal.
 */
export type CollisionReason = "replaced" | "joint" | "hash";

/** Several tools that met on one name: which of them kept it, and what became of the others. */
export interface Collision {
  /** The name they met on; it is the winner's. */
  readonly name: string;
  readonly winner: ToolPair;
  /** The others, each with the name it got instead. */
  readonly others: readonly Named<ToolPair>[];
  readonly reason: CollisionReason;
}

/** Listed tools with their names: every one is in `tools` or in `repeated`. */
export interface Naming<T> {
  /** One tool for each pair, each with a name of its own, in code point order of the names. */
  readonly tools: readonly Named<T>[];
  /** In code point order of their names. */
  readonly collisions: readonly Collision[];
  /** What was listed again under a pair that was there before. */
  readonly repeated: readonly T[];
}

/**
 * Gives each listed tool a name of its own and says which tools met on one.
 *
 * Of those that want the same name one keeps it: a tool whose name needed no replacing before one
 * whose name did, then by server, then by remote name, in code point order. When all those are
 * given out, the others get `_` and the first 8 hex digits of their pair's hash, or 16, 32, 64
 * while that is taken. The order of the list makes no difference, but of a pair listed twice the
 * first is kept. It cannot fail: what is no pair is left out.
 *
 * @param rule - `plain` unless given.
 *
 * @example
 * ```ts
 * import { resolveCollisions } from "mcp-source";
 * const { tools, collisions } = resolveCollisions([
 *   { server: "git", remoteName: "log.all" },
 *   { server: "git", remoteName: "log_all" },
 * ]);
 * tools.map((tool) => tool.name); // ["git_log_all", "git_log_all_49fe0b10"]
 * collisions[0]?.winner; // { server: "git", remoteName: "log_all" }
 * ```
 */
export function resolveCollisions<T extends ToolPair>(
  listed: Iterable<T>,
  rule: NamingRule = "plain",
): Naming<T> {
  const { owners, shared } = firstClaims(listed, rule);
  const collisions: Collision[] = [];
  const repeated: T[] = [];
  for (const [name, group] of entriesByName(shared)) {
    const [winner, ...others] = rankedOnce(group, repeated);
    if (winner === undefined || others.length === 0) continue;
    owners.set(name, winner);
    collisions.push({
      name,
      winner: pairOf(winner),
      others: others.map((tool) => ({ ...pairOf(tool), name: takeFreeName(tool, rule, owners) })),
      reason: reasonOf([winner, ...others], rule),
    });
  }
  return {
    tools: entriesByName(owners).map(([name, tool]) => ({ ...tool, name })),
    collisions,
    repeated,
  };
}

/** Every name that is wanted, with one tool that wants it; and all those that want a shared one. */
function firstClaims<T extends ToolPair>(
  listed: Iterable<T>,
  rule: NamingRule,
): { readonly owners: Map<string, T>; readonly shared: Map<string, T[]> } {
  const owners = new Map<string, T>();
  const shared = new Map<string, T[]>();
  for (const tool of pairsIn(listed)) {
    const name = wantedName(tool, rule);
    const owner = owners.get(name);
    const group = shared.get(name);
    if (owner === undefined) owners.set(name, tool);
    else if (group === undefined) shared.set(name, [owner, tool]);
    else group.push(tool);
  }
  return { owners, shared };
}

function pairsIn<T extends ToolPair>(listed: Iterable<T>): readonly T[] {
  const isIterable = typeof listed === "object" && listed !== null && Symbol.iterator in listed;
  return isIterable ? Array.from(listed).filter(isPair) : [];
}

function isPair(tool: unknown): boolean {
  if (typeof tool !== "object" || tool === null) return false;
  const { server, remoteName }: { server?: unknown; remoteName?: unknown } = tool;
  return typeof server === "string" && typeof remoteName === "string";
}

function wantedName({ server, remoteName }: ToolPair, rule: NamingRule): string {
  return rule === "plain"
    ? toolName(server, remoteName)
    : stableName(server, remoteName, maxLengthOf(rule));
}

/** Undefined is for the default of the stable rule. */
function maxLengthOf(rule: NamingRule): number | undefined {
  if (rule === "plain") return Infinity;
  const maxLength = isObject(rule) ? rule["maxLength"] : undefined;
  return typeof maxLength === "number" ? maxLength : undefined;
}

/** One tool for each pair, in the order in which names are given out; the rest goes to `repeated`. */
function rankedOnce<T extends ToolPair>(group: readonly T[], repeated: T[]): readonly T[] {
  const once: T[] = [];
  for (const tool of group.toSorted(comparePairs)) {
    const before = once.at(-1);
    if (before !== undefined && comparePairs(before, tool) === 0) repeated.push(tool);
    else once.push(tool);
  }
  return [...once.filter(isExact), ...once.filter((tool) => !isExact(tool))];
}

function comparePairs(left: ToolPair, right: ToolPair): number {
  return (
    compareCodePoints(left.server, right.server) ||
    compareCodePoints(left.remoteName, right.remoteName)
  );
}

function isExact({ server, remoteName }: ToolPair): boolean {
  return isExactName(server, remoteName);
}

/** The first name of a tool that nobody has; from then on the tool has it. */
function takeFreeName<T extends ToolPair>(
  tool: T,
  rule: NamingRule,
  owners: Map<string, T>,
): string {
  const names = hashedNames(tool.server, tool.remoteName, maxLengthOf(rule));
  let name = names.next().value;
  while (owners.has(name)) name = names.next().value;
  owners.set(name, tool);
  return name;
}

function reasonOf(met: readonly ToolPair[], rule: NamingRule): CollisionReason {
  if (rule !== "plain") return "hash";
  return met.every(isExact) ? "joint" : "replaced";
}

function pairOf({ server, remoteName }: ToolPair): ToolPair {
  return { server, remoteName };
}

/** Exposed names are ASCII, for which `<` is the order of code points, and four times as fast. */
function entriesByName<T>(named: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...named].sort((left, right) => (left[0] < right[0] ? -1 : 1));
}
