import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runSource } from "./repo/run-source.ts";

/** What each program of examples/ prints. */
const printed: Readonly<Record<string, readonly string[]>> = {
  "load-and-call": [
    "archive: disabled",
    "everything: connected",
    "notes: connected",
    "weather: failed",
    'mcp server "weather" failed at initialize: peer-exited (status 1); stderr: WEATHER_TOKEN is not set; ask your provider for one',
    "everything_echo is echo of everything",
    "everything_get-sum is get-sum of everything",
    "everything_trigger-long-running-operation is trigger-long-running-operation of everything",
    "notes_add is add of notes",
    "notes_clear is clear of notes",
    "notes_search is search of notes",
    "buy milk",
  ],
  cancel: ["step 1 of 600", "step 2 of 600", "cancelled", "cancelled 0"],
  elicit: ["notes asks: Delete all 2 notes?", "deleted 2 notes", "kept everything"],
  "own-transport": [
    "> server/discover",
    "> initialize",
    "> tools/list",
    "clock_year notes_add notes_clear notes_search",
    "2026",
    "> tools/call",
    "call Ada",
  ],
  embed: [
    '{"type":"function","function":{"name":"notes_add","description":"Keeps a note.","parameters":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}}',
    '{"role":"tool","tool_call_id":"call-1","content":"buy milk"}',
    '{"role":"tool","tool_call_id":"call-1","content":"unknown tool: notes_find"}',
  ],
  "ci-check": ["3 tools, as agreed"],
  authorize: ["server/discover: refused with 401", "connected", "a hundred coins"],
};

const programs = readdirSync(resolve(ROOT, "examples")).filter((file) => file.endsWith(".ts"));

describe("examples", () => {
  it.each(programs)("%s prints what it promises, then ends by itself", async (file) => {
    const name = file.slice(0, -".ts".length);
    const ran = await runSource(name, readFileSync(resolve(ROOT, "examples", file), "utf8"));
    expect(ran.stderr).toBe("");
    expect(ran.stdout.trimEnd().split("\n")).toEqual(printed[name]);
    expect(ran.code).toBe(0);
  });
});
