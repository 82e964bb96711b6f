/**
 * The package as others have it: with fast-check beside it, and without.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../repo/run-source.ts";

const folder = mkdtempSync(join(tmpdir(), "consumer-"));
const modules = join(folder, "node_modules");

beforeAll(() => {
  mkdirSync(join(modules, "mcp-source"), { recursive: true });
  cpSync(join(ROOT, "dist"), join(modules, "mcp-source/dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(modules, "mcp-source/package.json"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of ["eventsource-parser", "undici"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler says of a program of a consumer, the package's declarations included. */
function problemsOf(source: string): readonly string[] {
  const file = join(folder, "consumer.ts");
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: [join(ROOT, "node_modules/@types")],
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  });
  const found = ts.getPreEmitDiagnostics(program);
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const KIT = 'import { arbitraries, faultyTransport, scriptedPeer } from "mcp-source/testing";\n';

const WRONG = "// @ts-expect-error: it has a type\nexport const wrong: number =";

it("type-checks for a consumer without fast-check, its own declarations included", () => {
  const source = `${KIT}export const open = faultyTransport(scriptedPeer({}).open, []);
export const kit = arbitraries;
${WRONG} open;
`;
  expect(problemsOf(source)).toEqual([]);
});

it("has the types of the fast-check that is there", () => {
  symlinkSync(join(ROOT, "node_modules/fast-check"), join(modules, "fast-check"));
  const source = `${KIT}import fc from "fast-check";
fc.assert(fc.property(arbitraries(fc).serverName(), (name) => name.length >= 0));
export const names: fc.Arbitrary<string> = arbitraries(fc).serverName();
${WRONG} names;
`;
  expect(problemsOf(source)).toEqual([]);
});
