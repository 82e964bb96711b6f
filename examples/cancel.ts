// Two ways to stop: a deadline for the whole load, and a signal for one call.
import { disconnectAll, execute, fromConfig } from "mcp-source";

const everything = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const config = { mcpServers: { everything: { command: "node", args: [everything, "stdio"] } } };

const load = await fromConfig(config, { signal: AbortSignal.timeout(30_000) });
try {
  const stop = new AbortController();
  const result = await execute(
    load,
    "everything_trigger-long-running-operation",
    { duration: 60, steps: 600 },
    {
      signal: stop.signal,
      onProgress: ({ progress, total }) => {
        console.log(`step ${progress} of ${total}`);
        if (progress === 2) stop.abort();
      },
    },
  );
  console.log(result.failure?.tag);
} finally {
  await disconnectAll(load);
}

// A signal that has fired before starts nothing at all.
const nothing = await fromConfig(config, { signal: AbortSignal.abort() });
console.log(nothing.failure?.tag, nothing.tools.length);
