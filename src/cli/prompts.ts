/**
 * `prompts`: which prompts there are, and what each takes.
 */
import { isObject } from "../index.ts";
import type { Json, JsonObject, Prompt } from "../index.ts";
import type { PromptsCommand, Settings } from "./command-line.ts";
import type { Host } from "./host.ts";
import { itemsOutcome, openItems } from "./list-items.ts";
import { table } from "./list-text.ts";
import { connectedOf, listEach, PROMPTS, textMember } from "./listings.ts";
import type { Listing } from "./listings.ts";
import { closeLoad } from "./load-servers.ts";
import type { Outcome, TextStyle } from "./outcome.ts";
import { firstLine } from "./safe-text.ts";
import type { Voice } from "./voice.ts";

/** Connects the servers and lists their prompts. */
export async function prompts(
  command: PromptsCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const opened = await openItems({ command, settings, host, voice });
  if (!opened.ok) return opened.outcome;
  const { load } = opened.open;
  const listings = await listEach(connectedOf(load), PROMPTS, host, voice);
  const lists = [
    {
      listings,
      heading: "PROMPTS",
      lines: (style: TextStyle) => promptLines(listings, style),
    },
  ];
  const members = {
    prompts: listings.flatMap(({ server, items }) => items.map((item) => promptJson(item, server))),
  };
  return { ...itemsOutcome(opened.open, lists, members), close: () => closeLoad(load, host) };
}

function promptLines(listings: readonly Listing<Prompt>[], style: TextStyle): readonly string[] {
  const rows = listings.flatMap(({ server, items }) =>
    items.map((item) => [
      { text: item.name },
      { text: server, tone: "faint" as const },
      { text: argumentsText(item) },
      { text: firstLine(textMember(item, "description")) },
    ]),
  );
  if (rows.length === 0) return ["No prompts."];
  return table(["PROMPT", "SERVER", "ARGUMENTS", "DESCRIPTION"], rows, style);
}

/** `city [state]`: what may be left out stands in brackets. */
function argumentsText({ arguments: given }: Prompt): string {
  const all: readonly Json[] = Array.isArray(given) ? given : [];
  return all
    .filter(isObject)
    .map((one) => {
      const name = textMember(one, "name");
      return one["required"] === true ? name : `[${name}]`;
    })
    .join(" ");
}

function promptJson(item: Prompt, server: string): JsonObject {
  const { name, title, description, arguments: args } = item;
  return { name, title, description, arguments: args, server };
}
