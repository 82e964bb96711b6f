export { arbitraries } from "./arbitraries/arbitraries.ts";
export type { Arbitraries } from "./arbitraries/arbitraries.ts";
export type { Arbitrary, FastCheck } from "./arbitraries/fast-check.ts";
export type { PlanOptions } from "./arbitraries/plans.ts";
export { canary } from "./canary.ts";
export type { Canary, CanaryFinding, CanaryForm } from "./canary.ts";
export type {
  CloseFault,
  CorruptFault,
  CursorFault,
  CutFault,
  Direction,
  DuplicateFault,
  ErrorFault,
  Fault,
  FaultPlan,
  FaultPoint,
  IdFault,
  MalformedFault,
  PassageFault,
  TextFault,
  TimeFault,
} from "./fault-plan.ts";
export { faultyTransport } from "./faulty-transport.ts";
export { memoryPair } from "./memory-pair.ts";
export type { MemoryPair } from "./memory-pair.ts";
export { scriptedPeer } from "./scripted-peer.ts";
export type { PeerScript, Reply, ScriptedMessage, ScriptedPeer } from "./scripted-peer.ts";
