// For a pipeline: every enabled server must connect, and the tools must be the ones agreed on.
import { describeFailure, disconnectAll, fromConfig, requireAll } from "mcp-source";

const agreed = ["notes_add", "notes_clear", "notes_search"];

const load = await fromConfig({
  mcpServers: { notes: { command: "node", args: ["examples/notes-server.mjs"] } },
});
try {
  const complete = requireAll(load);
  const names = load.tools.map((tool) => tool.name);
  if (!complete.ok) {
    console.log(describeFailure(complete.failure));
    process.exitCode = 1;
  } else if (JSON.stringify(names) !== JSON.stringify(agreed)) {
    console.log(`the tools have changed: ${names.join(" ")}`);
    process.exitCode = 1;
  } else {
    console.log(`${names.length} tools, as agreed`);
  }
} finally {
  await disconnectAll(load);
}
