export { canonicalJson, isObject } from "./json.ts";
export type { Json, JsonObject } from "./json.ts";
export { compareCodePoints } from "./order.ts";
export { describeFailure } from "./failure.ts";
export type * from "./failure.ts";
export type * from "./config/server.ts";
export type * from "./transport/transport.ts";
