// Texts and bytes that are almost right.

/** A text with a few edits: cut out, put in, doubled. */
export function mutated(fc, texts) {
  const piece = fc.oneof(
    fc.constantFrom('"', "{", "}", "[", "]", ",", ":", "\n", "\r", "\0", "\\", "null", "//", "/*"),
    fc.constantFrom("[".repeat(3000), '{"a":'.repeat(3000)),
    fc.constantFrom("\ufeff", "\ud800", "1e999", "__proto__", "${", "}", "-", "\u2028", "é"),
    fc.string({ maxLength: 5 }),
  );
  const edit = fc.record({ at: fc.nat(2000), remove: fc.nat(20), insert: piece, times: fc.nat(3) });
  return fc
    .tuple(texts, fc.array(edit, { maxLength: 4 }))
    .map(([text, edits]) => edits.reduce(edited, text));
}

function edited(text, { at, remove, insert, times }) {
  const start = text.length === 0 ? 0 : at % text.length;
  return text.slice(0, start) + insert.repeat(times) + text.slice(start + remove);
}

/** Lines of a process, as the latin1 text of their bytes. */
export function anyBytes(fc, any) {
  const line = fc.oneof(
    any.message().map((message) => JSON.stringify(message)),
    any.message().map((message) => JSON.stringify(message, null, 2)),
    mutated(
      fc,
      any.message().map((message) => JSON.stringify(message)),
    ),
    any.malformedMessage().map((value) => JSON.stringify(value)),
    fc.string(),
  );
  const ending = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", "");
  const lines = fc.array(fc.tuple(line, ending), { maxLength: 6 });
  const text = lines.map((all) => all.flat().join(""));
  return fc
    .tuple(
      fc.constantFrom("", "", "\ufeff"),
      text,
      fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 3 }),
    )
    .map(([bom, text, changes]) => {
      const bytes = Buffer.from(bom + text, "utf8");
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes.toString("latin1");
    });
}

/** Where bytes are cut, as shares of a thousand. */
export function anyCuts(fc) {
  return fc.oneof(fc.array(fc.nat(1000), { maxLength: 30 }), fc.constant("everywhere"));
}

export function cutUp(bytes, cuts) {
  if (cuts === "everywhere") return Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  const at = cuts.map((share) => Math.floor((share * bytes.length) / 1000));
  const ends = [...at.toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

/** A value, or the same value far down. */
export function maybeDeep(fc, values) {
  const deep = fc
    .tuple(values, fc.integer({ min: 150, max: 2000 }), fc.constantFrom("list", "object"))
    .map(([value, levels, kind]) => {
      let found = value;
      for (let i = 0; i < levels; i++) found = kind === "list" ? [found] : { a: found };
      return found;
    });
  return fc.oneof({ weight: 8, arbitrary: values }, deep);
}
