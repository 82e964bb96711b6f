import { expect, it } from "vitest";
import { everything, folderWith, garden, runCli } from "./run-cli.ts";

const both = (): string => folderWith({ mcpServers: { everything, garden } });

it("suggests values for an argument of a prompt, one on a line", async () => {
  const { code, stdout } = await runCli(["complete", "describe", "plant", "b"], { cwd: both() });
  expect(stdout).toBe("basil\nbay\n");
  expect(code).toBe(0);
});

it("suggests values for a variable of a template", async () => {
  for (const reference of ["garden://plant/{plant}", "garden/garden://plant/{plant}"]) {
    const { stdout } = await runCli(["complete", reference, "plant", "m"], { cwd: both() });
    expect(stdout).toBe("mint\n");
  }
});

it("takes into account what --context says of other arguments", async () => {
  const args = ["complete", "completable-prompt", "name", "", "--server", "everything"];
  const { stdout } = await runCli([...args, "--context", "department=Sales"], { cwd: both() });
  expect(stdout).toBe("David\nEve\nFrank\n");
});

it("is one document under --json, with the server that was asked", async () => {
  const args = ["complete", "describe", "plant", "", "--json"];
  const { stdout } = await runCli(args, { cwd: both() });
  expect(JSON.parse(stdout)).toMatchObject({
    command: "complete",
    exitCode: 0,
    reference: { type: "ref/prompt", name: "describe", server: "garden" },
    completion: { values: ["basil", "bay", "mint"], hasMore: false },
  });
});

it.each([
  [["complete", "nope", "a", ""], 5, "unknown prompt: nope"],
  [["complete", "x://{y}", "y", ""], 5, "unknown resource template: x://{y}"],
  [["complete", "describe", "plant", "", "--context", "bare"], 2, "of the form key=value"],
] as const)("says what is wrong with %j", async (args, code, message) => {
  const ended = await runCli(args, { cwd: both() });
  expect(ended.stderr).toContain(message);
  expect(ended.code).toBe(code);
});
