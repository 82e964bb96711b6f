import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connect } from "../../src/lifecycle/connect.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { listing } from "../support/memory-server.ts";
import { connected, unconnected } from "../support/results.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server whose answer to the probe does not come; `note` says that it stood behind other text. */
function probeLost(note: boolean): OpenTransport {
  const open = listing(["echo"], { "server/discover": () => undefined });
  return (inbound, options) => {
    if (note) inbound.note?.({ code: "swallowed-answer", detail: 'behind other text: "Loading"' });
    return open(inbound, options);
  };
}

it("a probe whose answer stood behind other text fails readably, whatever the handshake would say", async () => {
  const connecting = connect({ name: "s", open: probeLost(true) });
  await vi.advanceTimersByTimeAsync(5000);
  expect(unconnected(await connecting)).toMatchObject({
    phase: "initialize",
    failure: { tag: "malformed-body", detail: 'behind other text: "Loading"' },
  });
});

it("a probe that is merely not answered leads to the handshake", async () => {
  const connecting = connect({ name: "s", open: probeLost(false) });
  await vi.advanceTimersByTimeAsync(5000);
  expect(connected(await connecting).era).toBe("legacy");
});
