/** The line before each message of a mailbox file (mbox): `From ada@example.org Mon Mar  2 10:00:00 2026`. */
const FROM_LINE = /^From \S.*?\b\d{4}\b/;
const MAX_LINE_BYTES = 1000;
const LINE_FEED = 0x0a;
const FROM = Buffer.from('\nFrom ');

/** The messages of a file: one, or those of a mailbox. */
export function mailboxMessages(file: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  let start = fromLineEnd(file, 0) ?? 0;
  if (start === 0) return [file];
  for (let at = file.indexOf(FROM, start); at >= 0; at = file.indexOf(FROM, at + 1)) {
    const isAfterBlankLine =
      file[at - 1] === LINE_FEED || (file[at - 1] === 0x0d && file[at - 2] === LINE_FEED);
    const next = isAfterBlankLine ? fromLineEnd(file, at + 1) : null;
    if (next === null) continue;
    messages.push(file.subarray(start, at));
    start = next;
  }
  return [...messages, file.subarray(start)];
}

function fromLineEnd(file: Buffer, at: number): number | null {
  const end = file.indexOf(LINE_FEED, at);
  if (end < 0 || end - at >= MAX_LINE_BYTES) return null;
  return FROM_LINE.test(file.toString('latin1', at, end)) ? end + 1 : null;
}
