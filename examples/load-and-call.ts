// Load a config file, see what became of each server, call a tool.
import { disconnectAll, execute, fromConfig, loadConfigFile, orThrow } from "mcp-source";

const config = orThrow(await loadConfigFile("examples/mcp.json"));
const load = await fromConfig(config);
try {
  for (const [server, status] of Object.entries(load.statuses)) console.log(`${server}: ${status}`);
  for (const message of Object.values(load.errors)) console.log(message);
  for (const tool of load.tools)
    console.log(`${tool.name} is ${tool.remoteName} of ${tool.server}`);

  const found = await execute(load, "notes_search", { query: "milk" });
  console.log(found.output);
} finally {
  await disconnectAll(load);
}
