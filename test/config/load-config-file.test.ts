import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfigFile } from "../../src/config/load-config-file.ts";

const CONFIG = '{"mcpServers":{"a":{"command":"x","timeout":60}}}';

describe("loadConfigFile", () => {
  let root = "";
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "config-"));
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  function written(path: string, content: string | Uint8Array): string {
    const file = join(root, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  it.each([
    ["mcp.json", ""],
    ["conf/mcp.json", "conf"],
    [".vscode/mcp.json", ""],
    [".cursor/mcp.json", ""],
    [".gemini/settings.json", ""],
    [".roo/mcp.json", ""],
    [".github/mcp.json", ""],
    [".agents/mcp.json", ""],
    ["sub/.vscode/mcp.json", "sub"],
    [".other/mcp.json", ".other"],
    [".vscode/deeper/mcp.json", ".vscode/deeper"],
  ])(
    "starts the relative paths of %s at its folder or the one around its dot folder",
    async (path, folder) => {
      const loaded = await loadConfigFile(written(path, CONFIG));
      expect(loaded).toMatchObject({ ok: true, value: { baseDir: join(root, folder) } });
    },
  );

  it("says by the file's name how timeouts count, unless told otherwise", async () => {
    const file = written(".roo/mcp.json", CONFIG);
    const timeout = (timeoutMs: number): object => ({
      ok: true,
      value: { servers: [{ timeoutMs }] },
    });
    expect(await loadConfigFile(file)).toMatchObject(timeout(60_000));
    expect(await loadConfigFile(file, { dialect: "mcp-source" })).toMatchObject(timeout(60));
    expect(await loadConfigFile(file, { fileName: "mcp.json", baseDir: undefined })).toMatchObject({
      value: { baseDir: root, servers: [{ timeoutMs: 60 }] },
    });
    expect(await loadConfigFile(file, { baseDir: "/else" })).toMatchObject({
      value: { baseDir: "/else" },
    });
  });

  it("reads UTF-8 and UTF-16 with a BOM", async () => {
    const text = CONFIG.replace('"a"', '"é🧪"');
    const utf16le = Buffer.from(`\ufeff${text}`, "utf16le");
    const utf16be = Buffer.from(utf16le).swap16();
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16le, utf16be]) {
      const loaded = await loadConfigFile(written("encoded.json", bytes));
      expect(loaded).toMatchObject({ ok: true, value: { ok: true, servers: [{ name: "é🧪" }] } });
    }
  });

  it("gives a file that is no JSON as a config with a diagnostic", async () => {
    const loaded = await loadConfigFile(written("bad.json", "# x"));
    expect(loaded).toMatchObject({
      ok: true,
      value: { ok: false, diagnostics: [{ code: "syntax", line: 1, column: 1 }] },
    });
  });

  it("fails with the path and the system's code where there is nothing to read", async () => {
    const missing = join(root, "missing.json");
    expect(await loadConfigFile(missing)).toEqual({
      ok: false,
      failure: { tag: "config", code: "unreadable-file", detail: `cannot read ${missing}: ENOENT` },
    });
    expect(await loadConfigFile(root)).toMatchObject({
      failure: { detail: `cannot read ${root}: EISDIR` },
    });
    expect(await loadConfigFile("\0")).toMatchObject({ failure: { code: "unreadable-file" } });
  });

  it.skipIf(process.getuid?.() === 0)("fails where it may not read", async () => {
    const file = written("locked.json", CONFIG);
    chmodSync(file, 0);
    expect(await loadConfigFile(file)).toMatchObject({
      failure: { detail: `cannot read ${file}: EACCES` },
    });
  });

  it("fails where the bytes are no text", async () => {
    const file = written("binary.json", Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(await loadConfigFile(file)).toMatchObject({
      ok: false,
      failure: { tag: "config", detail: `cannot read ${file}: it is not UTF-8` },
    });
  });

  it.each([undefined, null, 0, {}, Symbol("s")])("takes no %s for a path", async (path) => {
    const loaded = await loadConfigFile(path as string);
    expect(loaded).toMatchObject({ ok: false, failure: { tag: "invalid-argument" } });
  });
});
