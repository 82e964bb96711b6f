// A server asks the person in the middle of a call; the call goes on with the answer.
import { disconnectAll, execute, fromConfig, makeAnswer } from "mcp-source";
import type { WaitFor } from "mcp-source";

// A real host shows the prompt and waits; this one always says yes.
const waitFor: WaitFor = (request) => {
  console.log(`${request.server} asks: ${request.prompt}`);
  return makeAnswer(request.id, true, { sure: true });
};

const config = { mcpServers: { notes: { command: "node", args: ["examples/notes-server.mjs"] } } };

const load = await fromConfig(config, { waitFor });
try {
  console.log((await execute(load, "notes_clear")).output);
} finally {
  await disconnectAll(load);
}

// Without `waitFor` no server is told that it may ask.
const quiet = await fromConfig(config);
try {
  console.log((await execute(quiet, "notes_clear")).output);
} finally {
  await disconnectAll(quiet);
}
