import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import type { ConnectOptions } from "../../src/lifecycle/records.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import { scripted } from "../support/memory-server.ts";
import { connected, objectIn } from "../support/results.ts";

/** What a server learns: the capabilities it is told, and the answer to a request of its own. */
async function asked(
  method: string,
  options: ConnectOptions,
  params: JsonObject = {},
): Promise<{ readonly capabilities: Json | undefined; readonly answer: JsonObject }> {
  let capabilities: Json | undefined;
  let heard: (message: JsonObject) => void = () => undefined;
  const answer = new Promise<JsonObject>((resolve) => {
    heard = resolve;
  });
  const peer = scripted({
    "tools/list": () => ({ tools: [] }),
    initialize: (sent) => {
      capabilities = sent["capabilities"];
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "m", version: "1" },
      };
    },
  });
  const open = memoryTransport((message, send) => {
    if (message["id"] === "q") heard(message);
    if (message["method"] === "notifications/initialized") {
      send({ jsonrpc: "2.0", id: "q", method, params });
    }
    return peer(message, send);
  });
  connected(await connect({ name: "m", open }, options));
  return { capabilities, answer: await answer };
}

it("sampling is advertised only with a handler, which gets the parameters and gives the result (B10)", async () => {
  const result = { role: "assistant", content: { type: "text", text: "hi" }, model: "x" };
  const seen: unknown[] = [];
  const onSample: ConnectOptions["onSample"] = (params, { server }) => {
    seen.push(params, server);
    return result;
  };
  const given = await asked("sampling/createMessage", { onSample }, { maxTokens: 5 });
  expect(given.capabilities).toEqual({ sampling: {} });
  expect(given.answer["result"]).toEqual(result);
  expect(seen).toEqual([{ maxTokens: 5 }, "m"]);
  const without = await asked("sampling/createMessage", {});
  expect(without.capabilities).toEqual({});
  expect(without.answer["error"]).toMatchObject({ code: -32601 });
});

it("a sampling handler that throws refuses in the user's name", async () => {
  const onSample = (): Promise<JsonObject> => Promise.reject(new Error("no"));
  const { answer } = await asked("sampling/createMessage", { onSample });
  expect(objectIn(answer["error"])["code"]).toBe(-1);
});

it("roots are advertised only with a handler, which gives them (B11)", async () => {
  const roots = [{ uri: "file:///home/ada", name: "home" }];
  const given = await asked("roots/list", { onRoots: () => roots });
  expect(given.capabilities).toEqual({ roots: {} });
  expect(given.answer["result"]).toEqual({ roots });
  const without = await asked("roots/list", {});
  expect(without.answer["error"]).toMatchObject({ code: -32601 });
});
