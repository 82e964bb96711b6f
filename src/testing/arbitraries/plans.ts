/**
 * Fault plans.
 */
import type { Direction, Fault, FaultPlan, FaultPoint } from "../fault-plan.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";
import { anyJson, anyText } from "./values.ts";

/** What generated plans may hold. */
export interface PlanOptions {
  /** The methods whose messages are harmed; those of a load and a call when absent. */
  readonly methods?: readonly string[];
  /** The kinds of faults; all when absent. */
  readonly kinds?: readonly Fault["kind"][];
  /** The longest delay, in milliseconds; 20 when absent. */
  readonly maxMs?: number;
}

const METHODS = ["initialize", "notifications/initialized", "tools/list", "tools/call"];

/** What happens, wherever it happens. */
type Action = Fault extends infer One
  ? One extends Fault
    ? Omit<One, keyof FaultPoint>
    : never
  : never;

/** A plan of up to four faults. */
export function anyFaultPlan(fc: FastCheck, options: PlanOptions = {}): Arbitrary<FaultPlan> {
  const actions = actionsByKind(fc, options.maxMs ?? 20);
  const kinds = options.kinds ?? Object.keys(actions);
  const action = fc.constantFrom(...kinds).chain((kind) => actions[kind] ?? actions["drop"]);
  const fault = fc
    .tuple(anyPoint(fc, options.methods ?? METHODS), action)
    .map(([point, what]): Fault => ({ ...point, ...what }));
  return fc.array(fault, { maxLength: 4 });
}

function anyPoint(fc: FastCheck, methods: readonly string[]): Arbitrary<FaultPoint> {
  return fc.record(
    {
      direction: fc.constantFrom<Direction>("out", "in"),
      method: fc.constantFrom(...methods),
      nth: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ["direction"] },
  );
}

function actionsByKind(
  fc: FastCheck,
  maxMs: number,
): { readonly [kind: string]: Arbitrary<Action>; readonly drop: Arbitrary<Action> } {
  const ms = fc.nat(maxMs);
  const bytes = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 300 }));
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x0a, 0x22, 0x7b, 0x7d, 0xff));
  const plain = (kind: "drop" | "reorder" | "stall"): Arbitrary<Action> => fc.constant({ kind });
  return {
    drop: plain("drop"),
    reorder: plain("reorder"),
    stall: plain("stall"),
    delay: ms.map((ms): Action => ({ kind: "delay", ms })),
    late: ms.map((ms): Action => ({ kind: "late", ms })),
    duplicate: fc
      .integer({ min: 1, max: 3 })
      .map((times): Action => ({ kind: "duplicate", times })),
    "wrong-id": fc.constant<Action>({ kind: "wrong-id" }),
    "string-id": fc.constant<Action>({ kind: "string-id" }),
    truncate: bytes.map((bytes): Action => ({ kind: "truncate", bytes })),
    chunk: bytes.map((bytes): Action => ({ kind: "chunk", bytes })),
    corrupt: fc
      .tuple(fc.nat(300), byte)
      .map(([at, byte]): Action => ({ kind: "corrupt", at, byte })),
    junk: anyText(fc).map((text): Action => ({ kind: "junk", text })),
    replace: anyText(fc).map((text): Action => ({ kind: "replace", text })),
    malformed: anyJson(fc).map((value): Action => ({ kind: "malformed", value })),
    error: fc
      .tuple(fc.integer(), anyText(fc))
      .map(([code, message]): Action => ({ kind: "error", code, message })),
    "cursor-loop": anyText(fc).map((cursor): Action => ({ kind: "cursor-loop", cursor })),
    close: fc.record(
      { kind: fc.constant("close" as const), exitCode: fc.nat(3) },
      { requiredKeys: ["kind"] },
    ),
  };
}
