/**
 * From a server of a config to the transport that reaches it: the one place that chooses.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { expandServer } from "../config/expand.ts";
import { redactor } from "../config/redact.ts";
import type { ServerConfig } from "../config/server.ts";
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { httpTransport } from "../transport/http/http-transport.ts";
import { childEnv } from "../transport/stdio/child-env.ts";
import { stdioTransport } from "../transport/stdio/stdio-transport.ts";
import type { OpenTransport } from "../transport/transport.ts";
import type { ConnectOptions } from "./records.ts";
