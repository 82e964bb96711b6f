/**
 * `resources`: what can be read, and the templates of URIs that can be.
 */
import type { JsonObject } from "../index.ts";
import type { ResourcesCommand, Settings } from "./command-line.ts";
import type { Host } from "./host.ts";
import { itemsOutcome, openItems } from "./list-items.ts";
import type { ItemsList } from "./list-items.ts";
import { table } from "./list-text.ts";
import { connectedOf, listEach, RESOURCES, TEMPLATES, textMember } from "./listings.ts";
import type { Listing } from "./listings.ts";
import { closeLoad } from "./load-servers.ts";
import type { Outcome, TextStyle } from "./outcome.ts";
import { firstLine } from "./safe-text.ts";
import type { Voice } from "./voice.ts";

/** Connects the servers and lists their resources and templates. */
export async function resources(
  command: ResourcesCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const opened = await openItems({ command, settings, host, voice });
  if (!opened.ok) return opened.outcome;
  const { load } = opened.open;
  const connections = connectedOf(load);
  const listed = await listEach(connections, RESOURCES, host, voice);
  const templates = await listEach(connections, TEMPLATES, host, voice);
  const lists: readonly ItemsList[] = [
    {
      listings: listed,
      heading: "RESOURCES",
      lines: (style) => itemLines(listed, "uri", style),
    },
    {
      listings: templates,
      heading: "TEMPLATES",
      lines: (style) => itemLines(templates, "uriTemplate", style),
    },
  ];
  const members = { resources: itemsJson(listed), templates: itemsJson(templates) };
  return { ...itemsOutcome(opened.open, lists, members), close: () => closeLoad(load, host) };
}

function itemLines(
  listings: readonly Listing<JsonObject>[],
  key: "uri" | "uriTemplate",
  style: TextStyle,
): readonly string[] {
  const rows = listings.flatMap(({ server, items }) =>
    items.map((item) => [
      { text: textMember(item, key) },
      { text: server, tone: "faint" as const },
      { text: textMember(item, "mimeType") },
      { text: firstLine(textMember(item, "description")) || textMember(item, "name") },
    ]),
  );
  if (rows.length === 0) return [key === "uri" ? "No resources." : "No resource templates."];
  const heading = key === "uri" ? "RESOURCE" : "TEMPLATE";
  return table([heading, "SERVER", "TYPE", "DESCRIPTION"], rows, style);
}

function itemsJson(listings: readonly Listing<JsonObject>[]): readonly JsonObject[] {
  return listings.flatMap(({ server, items }) =>
    items.map((item) => {
      const { uri, uriTemplate, name, title, description, mimeType, size, annotations } = item;
      const about = { name, title, description, mimeType, size, annotations };
      return { ...about, uri, uriTemplate, server };
    }),
  );
}
