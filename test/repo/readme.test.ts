import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, run, runSource } from "./run-source.ts";
import { allSnippets, compileSnippets, fencedBlocks, loosePlaces } from "./snippets.ts";

const readme = readFileSync(resolve(ROOT, "README.md"), "utf8");
const blocks = fencedBlocks(readme);

describe("code in the documentation", () => {
  const snippets = allSnippets();
  const compiled = compileSnippets(snippets);

  it.each(snippets.map(({ place }) => place))("compiles at %s", (place) => {
    expect(compiled.get(place)).toBe("");
  });

  it("is a ts block wherever a doc comment says @example", () => {
    expect(loosePlaces()).toEqual([]);
  });
});

describe("the README", () => {
  it("shows the real output of its first example", async () => {
    const at = blocks.findIndex(({ language }) => language === "ts");
    const ran = await runSource("readme", blocks[at]?.text ?? "");
    expect(ran).toEqual({ stdout: blocks[at + 1]?.text, stderr: "", code: 0 });
  });

  it("shows the real output of every command line", async () => {
    const shown = blocks.filter(({ language }) => language === "console");
    expect(shown.length).toBeGreaterThan(0);
    for (const { text } of shown) {
      const [command = "", ...output] = text.split("\n");
      const [program, ...args] = command.replace(/^\$ npx /, "").split(" ");
      expect(program).toBe("mcp-source");
      const ran = await run(process.execPath, ["dist/cli/main.js", ...args]);
      expect(`${ran.stdout}${ran.stderr}`).toBe(output.join("\n"));
    }
  });
});

describe("docs/failures.md", () => {
  const failures = readFileSync(resolve(ROOT, "docs/failures.md"), "utf8");
  const types = readFileSync(resolve(ROOT, "src/failure.ts"), "utf8");
  const tags = [...types.matchAll(/readonly tag: "([a-z-]+)"/g)].map(([, tag]) => tag);
  const reasons = /type TransportReason =([^;]+);/.exec(types)?.[1]?.match(/[a-z-]+/g) ?? [];

  it.each(tags)("has a heading for the tag %s", (tag) => {
    expect(failures).toContain(`### \`${tag}\`\n`);
  });

  it.each(reasons)("has a row for the reason %s", (reason) => {
    expect(failures).toMatch(new RegExp(`^\\| \`${reason}\` +\\|`, "m"));
  });
});
