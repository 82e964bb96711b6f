/**
 * Tables for people: columns lined up by what a terminal shows, not by how long the strings are.
 */
import { visible } from "../index.ts";
import { plain } from "./style.ts";
import type { Paint, Tone } from "./style.ts";

/** One cell; its text may come from anywhere. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

/** How a table is drawn. */
export interface TableStyle {
  readonly paint?: Paint;
  /** The last column is cut so that no line is wider than this; absent = not cut. */
  readonly width?: number;
}

const GAP = "  ";
/** A last column narrower than this says nothing; a line then rather wraps. */
const LEAST_LAST_COLUMN = 20;

/** The lines of a table under its headings; every text is made safe to show. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  style: TableStyle = {},
): readonly string[] {
  const paint = style.paint ?? plain;
  const heads = headings.map((text): Cell => ({ text, tone: "strong" }));
  const all = [heads, ...rows].map((row) => row.map(safeCell));
  const widths = headings.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, displayWidth(row[column]?.text ?? "")), 0),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room =
    style.width === undefined ? Infinity : Math.max(LEAST_LAST_COLUMN, style.width - before);
  return all.map((row) => rowLine(row, widths, { paint, room }));
}

function safeCell(cell: Cell): Cell {
  return { ...cell, text: visible(cell.text) };
}

function rowLine(
  row: readonly Cell[],
  widths: readonly number[],
  { paint, room }: { readonly paint: Paint; readonly room: number },
): string {
  const isLast = (column: number): boolean => column === widths.length - 1;
  const shown = row.map(({ text, tone }, column) => {
    const fitted = isLast(column) ? cutToWidth(text, room) : text;
    const blanks = isLast(column) ? 0 : (widths[column] ?? 0) - displayWidth(fitted);
    return `${tone === undefined || fitted === "" ? fitted : paint(tone, fitted)}${" ".repeat(blanks)}`;
  });
  return shown.join(GAP).trimEnd();
}

const ZERO_WIDTH = /\p{M}/u;
// East Asian wide and full width forms, and what is drawn as a picture.
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a safe text takes. */
export function displayWidth(text: string): number {
  // The common case, and eight times as fast.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return DOUBLE_WIDTH.test(character) ? 2 : 1;
}

/** The start of a safe text that fits into so many columns, with `…` where something is missing. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
