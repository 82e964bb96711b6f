/**
 * JSON that the command line names: written out, in a file (`@path`), or on stdin (`-`).
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject, visible } from "../index.ts";
import type { Answer, Json, JsonObject } from "../index.ts";
import type { Host } from "./host.ts";
import type { Problem } from "./outcome.ts";

/** A value, or what is wrong with the option that should have named it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** The object of `--args`. */
export async function readArgs(text: string, host: Host): Promise<Read<JsonObject>> {
  const read = await readJson("--args", text, host);
  if (!read.ok) return read;
  if (isObject(read.value)) return { ok: true, value: read.value };
  return wrong(
    `--args is not a JSON object`,
    `write an object, such as --args '{"city": "Berlin"}'`,
  );
}

/** The list of `--answers`. */
export async function readAnswers(
  text: string,
  host: Host,
): Promise<Read<readonly Omit<Answer, "id">[]>> {
  const source = /^@|^\s*[[{]/.test(text) ? text : `@${text}`;
  const read = await readJson("--answers", source, host);
  if (!read.ok) return read;
  const list: readonly Json[] | null = Array.isArray(read.value) ? read.value : null;
  const answers = list?.flatMap((one) => (isAnswer(one) ? [one] : [])) ?? [];
  if (list !== null && answers.length === list.length) return { ok: true, value: answers };
  return wrong(
    "--answers is not a list of answers",
    'write a JSON list, such as [{"ok": true, "data": {"name": "Ada"}}, {"ok": false, "reason": "declined"}]',
  );
}

function isAnswer(value: Json): value is JsonObject & Omit<Answer, "id"> {
  if (!isObject(value)) return false;
  const { ok, data, reason } = value;
  return (
    typeof ok === "boolean" &&
    (data === undefined || isObject(data)) &&
    (reason === undefined || typeof reason === "string")
  );
}

async function readJson(option: string, text: string, host: Host): Promise<Read<Json>> {
  const source = await readSource(option, text, host);
  if (!source.ok) return source;
  const { text: json, name } = source.value;
  try {
    const value: Json = JSON.parse(json.replace(/^\ufeff/, ""));
    return { ok: true, value };
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    return wrong(
      visible(`${option}: ${name} is not JSON: ${why}`),
      "names and texts in JSON stand in double quotes; in a shell, put the whole into single quotes",
    );
  }
}

async function readSource(
  option: string,
  text: string,
  host: Host,
): Promise<Read<{ readonly text: string; readonly name: string }>> {
  if (text === "-") {
    return { ok: true, value: { text: await host.readStdin(), name: "the text on stdin" } };
  }
  if (!text.startsWith("@")) return { ok: true, value: { text, name: "the text" } };
  const path = text.slice(1);
  try {
    const content = await readFile(resolve(host.cwd, path), "utf8");
    return { ok: true, value: { text: content, name: path } };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return wrong(visible(`${option}: cannot read ${path} (${code})`), "check the path after the @");
  }
}

function wrong(message: string, fix: string): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: { tag: "usage", message, fix } };
}
