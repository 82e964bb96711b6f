import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAIN, everything, folderWith, garden, runCli, runInTerminal, server } from "./run-cli.ts";

const both = (): string => folderWith({ mcpServers: { everything, garden } });
const shelf = (): string => folderWith({ mcpServers: { s: server("shelf.mjs") } });

describe("resources", () => {
  it("lists resources and templates of every server", async () => {
    const { code, stdout } = await runCli(["resources"], { cwd: both() });
    expect(stdout).toMatch(/^RESOURCE +SERVER +TYPE +DESCRIPTION\n/);
    expect(stdout).toMatch(/\ngarden:\/\/bed\/1 +garden +bed\n/);
    expect(stdout).toMatch(/\nTEMPLATE +SERVER +TYPE +DESCRIPTION\n/);
    expect(stdout).toMatch(/\ndemo:\/\/resource\/dynamic\/text\/\{resourceId\} +everything +text/);
    expect(stdout).toMatch(/\ngarden +connected +2 +1 +garden 1.0.0, MCP 2026-07-28\n/);
    expect(code).toBe(0);
  });

  it("is one document under --json", async () => {
    const { stdout } = await runCli(["resources", "garden", "--json"], { cwd: both() });
    expect(JSON.parse(stdout)).toMatchObject({
      command: "resources",
      ok: true,
      servers: [{ name: "garden", era: "modern" }],
      resources: [
        { uri: "garden://bed/1", name: "bed", server: "garden" },
        { uri: "garden://photo", name: "photo", server: "garden" },
      ],
      templates: [{ uriTemplate: "garden://plant/{plant}", name: "plant", server: "garden" }],
    });
  });

  it("takes a server that knows nothing of templates as one without", async () => {
    const { code, stdout, stderr } = await runCli(["resources", "-q"], { cwd: shelf() });
    expect(stdout).toContain("No resource templates.");
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });
});

describe("read", () => {
  it("writes the text of the server that lists it, with nothing added", async () => {
    const { code, stdout } = await runCli(["read", "garden://bed/1"], { cwd: both() });
    expect(stdout).toBe("watered 0");
    expect(code).toBe(0);
  });

  it("finds the server by its templates, server/uri or --server", async () => {
    const cwd = both();
    const uri = "demo://resource/dynamic/text/1";
    expect((await runCli(["read", uri], { cwd })).stdout).toMatch(/^Resource 1: /);
    for (const words of [
      ["garden/garden://plant/bay"],
      ["garden://plant/bay", "--server", "garden"],
    ]) {
      expect((await runCli(["read", ...words], { cwd })).stdout).toBe("a bay");
    }
  });

  it("writes a blob as its bytes to a pipe or a file", () => {
    const cwd = shelf();
    const { stdout } = spawnSync(process.execPath, [MAIN, "read", "shelf://photo"], { cwd });
    expect([...stdout]).toEqual([0x89, 0x50, 0x4e, 0x47, 0]);
    spawnSync("sh", ["-c", `'${process.execPath}' '${MAIN}' read shelf://photo > photo`], { cwd });
    expect([...readFileSync(join(cwd, "photo"))]).toEqual([0x89, 0x50, 0x4e, 0x47, 0]);
  });

  it("describes a blob on a terminal, and says how to keep it", async () => {
    const { stdout } = await runInTerminal(["read", "garden://photo", "-q"], [], { cwd: both() });
    expect(stdout).toContain("[blob image/png 8 bytes]\r\n");
    expect(stdout).toContain("To keep it: mcp-source read garden/garden://photo > FILE");
  });

  it("puts a line before each of several contents, which none of them can forge", async () => {
    const { stdout, stderr } = await runCli(["read", "shelf://both"], { cwd: shelf() });
    expect(stdout).toBe(
      "--- shelf://both/a text/plain ---\nfirst\u001b[2J\n\n" +
        "--- shelf://both/b\\n--- forged --- ---\n[blob 2 bytes]\n",
    );
    expect(stderr).toContain("as base64: mcp-source read s/shelf://both --json");
  });

  it("holds everything as it came under --json", async () => {
    const { stdout } = await runCli(["read", "shelf://both", "--json"], { cwd: shelf() });
    expect(JSON.parse(stdout)).toMatchObject({
      command: "read",
      resource: { server: "s", uri: "shelf://both" },
      result: { contents: [{ text: "first\u001b[2J" }, { blob: "AAE=" }] },
    });
  });

  it("gives a GitHub Actions runner no command, as text or as bytes", async () => {
    const options = { cwd: shelf(), env: { GITHUB_ACTIONS: "true" } };
    const text = await runCli(["read", "shelf://log"], options);
    expect(text.stdout).toBe("\\u{3a}:set-output name=x::y\n");
    const bytes = await runCli(["read", "shelf://bytes"], options);
    expect(bytes.stdout).toContain(
      "[blob 15 bytes]\nTo keep it: mcp-source read s/shelf://bytes --json\n",
    );
    const photo = await runCli(["read", "shelf://photo"], options);
    expect(photo.stdout).toContain("PNG");
  });

  it("says that a resource is empty", async () => {
    const { code, stdout, stderr } = await runCli(["read", "shelf://empty"], { cwd: shelf() });
    expect([stdout, code]).toEqual(["", 0]);
    expect(stderr).toContain("The resource is empty.");
  });

  it("exits 5 when the server has no such resource, and asks nobody who does not list it", async () => {
    const named = await runCli(["read", "garden/x://y"], { cwd: both() });
    expect(named.stderr).toContain('mcp server "garden" failed at resources/read: rpc-error');
    expect(named.stderr).toContain(
      "Fix: see which resources there are: mcp-source resources garden",
    );
    expect(named.code).toBe(5);
    const unnamed = await runCli(["read", "x://y"], { cwd: both() });
    expect(unnamed.stderr).toContain("unknown resource: x://y");
    expect(unnamed.code).toBe(5);
  });

  it("exits 4, unsupported, where the server has no resources", async () => {
    const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
    const { code, stdout } = await runCli(["read", "x://y", "--json"], { cwd });
    expect(JSON.parse(stdout).errors).toMatchObject([{ tag: "unsupported", server: "t" }]);
    expect(code).toBe(4);
  });
});
