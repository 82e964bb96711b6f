/**
 * Holds every message we send against the official JSON Schema of its revision.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { requestMessage, notificationMessage } from "../../src/protocol/messages.ts";
import { LATEST_MODERN_VERSION } from "../../src/protocol/versions.ts";
import { withMeta } from "../../src/transport/request-ids.ts";
import type { Inbound, OpenTransport, WireOptions } from "../../src/transport/transport.ts";

const SCHEMAS = resolve(import.meta.dirname, "../../../shared/schema");
/**
 * Whether the official schemas are beside this checkout. They are not ours to copy: a checkout
 * elsewhere runs without them, CI never does.
 */
export const HAS_SCHEMAS: boolean = existsSync(SCHEMAS) || process.env["CI"] !== undefined;
export const REVISIONS: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
];

/** One revision: what its client may send, by method, and the general shapes. */
interface Revision {
  readonly byMethod: ReadonlyMap<string, ValidateFunction>;
  readonly request: ValidateFunction;
  readonly notification: ValidateFunction;
  readonly response: ValidateFunction;
  answerTo(method: string): ValidateFunction | undefined;
}

const revisions = new Map(HAS_SCHEMAS ? REVISIONS.map((name) => [name, readRevision(name)]) : []);
/** Methods that any revision gives to the client; where one is missing, it is not the client's. */
const METHODS = new Set([...revisions.values()].flatMap(({ byMethod }) => [...byMethod.keys()]));

/** What is wrong with a message that a client sends, or null. Methods of nobody's are anybody's. */
export function schemaProblem(revision: string, message: Json): string | null {
  if (!HAS_SCHEMAS) return null;
  const known = revisions.get(revision);
  if (known === undefined) return `there is no revision ${revision}`;
  if (!isObject(message)) return "no object";
  const { method, id } = message;
  if (typeof method !== "string") return problemOf(known.response, message);
  const general = problemOf(id === undefined ? known.notification : known.request, message);
  if (general !== null) return general;
  const own = known.byMethod.get(method);
  if (own !== undefined) return problemOf(own, message);
  return METHODS.has(method) ? `${method} is not the client's in ${revision}` : null;
}

/** What is wrong with the answer to a request of the server, or null. */
export function answerProblem(revision: string, method: string, response: Json): string | null {
  const general = schemaProblem(revision, response);
  if (general !== null || !isObject(response) || response["result"] === undefined) return general;
  const own = revisions.get(revision)?.answerTo(method);
  return own === undefined ? null : problemOf(own, response["result"]);
}

function problemOf(validate: ValidateFunction, value: Json): string | null {
  if (validate(value)) return null;
  const found = validate.errors?.map(
    ({ instancePath, message = "" }) => `${instancePath} ${message}`,
  );
  return `${found?.join("; ")} in ${JSON.stringify(value)}`;
}

function readRevision(name: string): Revision {
  const schema: JsonObject = JSON.parse(readFileSync(resolve(SCHEMAS, `${name}.json`), "utf8"));
  const place = isObject(schema["$defs"]) ? "$defs" : "definitions";
  const definitions = isObject(schema[place]) ? schema[place] : {};
  const options = { strict: false, validateFormats: false };
  const ajv = place === "$defs" ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema(schema, name);
  const compiled = (definition: string): ValidateFunction =>
    ajv.compile({ $ref: `${name}#/${place}/${definition}` });
  const optional = (...names: readonly string[]): ValidateFunction | undefined => {
    const there = names.find((definition) => definition in definitions);
    return there === undefined ? undefined : compiled(there);
  };
  const response = optional("JSONRPCResultResponse", "JSONRPCResponse");
  const failure = optional("JSONRPCErrorResponse", "JSONRPCError");
  const either: ValidateFunction = Object.assign(
    (value: unknown): value is unknown => response?.(value) === true || failure?.(value) === true,
    { schema: {}, schemaEnv: compiled("RequestId").schemaEnv },
  );
  return {
    byMethod: new Map(
      ["ClientRequest", "ClientNotification"]
        .flatMap((union) => membersOf(definitions, union))
        .flatMap((member) => {
          const method = methodOf(definitions[member]);
          return method === null ? [] : [[method, compiled(member)] as const];
        }),
    ),
    request: compiled("JSONRPCRequest"),
    notification: compiled("JSONRPCNotification"),
    response: either,
    answerTo: (method) => {
      switch (method) {
        case "elicitation/create":
          return optional("ElicitResult");
        case "sampling/createMessage":
          return optional("CreateMessageResult");
        case "roots/list":
          return optional("ListRootsResult");
        default:
          return optional("EmptyResult");
      }
    },
  };
}

/** The definitions a union is made of; one that is no union stands for itself. */
function membersOf(definitions: JsonObject, union: string): readonly string[] {
  const definition = definitions[union];
  const anyOf = isObject(definition) ? definition["anyOf"] : undefined;
  if (!Array.isArray(anyOf)) return [union];
  return anyOf.flatMap(({ $ref }: JsonObject) =>
    typeof $ref === "string" ? [$ref.replace(/^.*\//, "")] : [],
  );
}

function methodOf(definition: Json | undefined): string | null {
  const properties = isObject(definition) ? definition["properties"] : undefined;
  const method = isObject(properties) ? properties["method"] : undefined;
  const name = isObject(method) ? method["const"] : undefined;
  return typeof name === "string" ? name : null;
}

/** A message as it went out, the revision it was sent in, and what the schema says of it. */
export interface Sent {
  readonly message: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  /** How long a request is waited for. */
  readonly timeoutMs?: number;
  readonly problem: string | null;
}

/** A transport that writes down every message sent over it, as its JSON. */
export function recorded(open: OpenTransport, sent: Sent[]): OpenTransport {
  let revision = LATEST_MODERN_VERSION;
  const record = (message: JsonObject, options: WireOptions & { timeoutMs?: number }): void => {
    const text = asText(message);
    if (text === null) return;
    revision = options.protocolVersion ?? revision;
    const plain: JsonObject = JSON.parse(text);
    const { headers = {}, timeoutMs } = options;
    sent.push({
      message: plain,
      headers,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      problem: schemaProblem(revisionOf(plain, revision), plain),
    });
  };
  return async (inbound, openOptions) => {
    const opened = await open(
      answering(inbound, () => revision, sent),
      openOptions,
    );
    if (!opened.ok) return opened;
    const { rpc, notify } = opened.value;
    let last = 0;
    return {
      ok: true,
      value: {
        ...opened.value,
        rpc: (method, params, options) => {
          const id = options.id ?? ++last;
          record(requestMessage(id, method, withMeta(NO_TABLES, params, options, id)), options);
          return rpc(method, params, options);
        },
        notify: (method, params, options = {}) => {
          record(notificationMessage(method, params), options);
          return notify(method, params, options);
        },
      },
    };
  };
}

const NO_TABLES = { pending: new Map(), ownIds: new Map(), progressTokens: new Map() };

/** A handshake belongs to the revision it offers. */
function revisionOf({ method, params }: JsonObject, otherwise: string): string {
  const offered = isObject(params) ? params["protocolVersion"] : undefined;
  return method === "initialize" && typeof offered === "string" ? offered : otherwise;
}

function answering(inbound: Inbound, revision: () => string, sent: Sent[]): Inbound {
  return {
    ...inbound,
    request: async (message, options) => {
      const response = await inbound.request(message, options);
      if (response !== null) {
        const method = typeof message["method"] === "string" ? message["method"] : "";
        const problem = answerProblem(revision(), method, response);
        sent.push({ message: response, headers: {}, problem });
      }
      return response;
    },
  };
}

function asText(message: JsonObject): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}
