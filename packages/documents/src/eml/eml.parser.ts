import { DocumentError } from '../document/document-error.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser, ParserInput } from '../document-parser.js';
import { utf16ByteOrder } from '../text-decoding/text-content.js';
import { addresses, MailReader } from './mail-reader.js';
import { type MimePart, readMessage } from './mime-part.js';

/** The line before each message of a mailbox (mbox), with or without a date: `From ada@example.org Mon Mar  2 10:00:00 2026`. */
const FROM_LINE = /^From (?:-\s*$|\S.*?\b\d{4}\b)/;

const MAX_FROM_LINE_BYTES = 1000;
const LINE_FEED = 0x0a;
const NEXT_FROM_LINE = Buffer.from('\nFrom ');

const UTF16_SAMPLE_BYTES = 4096;
/** A file without any of these is no message. */
const KNOWN_FIELDS = 'content-type date from message-id mime-version received subject to'.split(' ');

/**
 * Reads messages (RFC 5322, MIME) and mailboxes of several messages: the main header fields, one of the
 * alternatives of the body, attached messages and texts, and the names of other attachments. Web pages that were saved in
 * one file have the same format.
 */
export const emlParser: DocumentParser = {
  async parse(input, builder) {
    const messages = mailboxMessages(asMessageBytes(input.bytes)).map((source) => readMessage(source));
    const [first] = messages;
    if (first === undefined || !messages.some(hasKnownField)) {
      throw new DocumentError('CORRUPT_FILE', 'no header of a message', {
        userMessage:
          'The file is not an e-mail: it has no header fields such as From or Subject. Save the message again as .eml and upload the new file.',
      });
    }
    if (messages.length === 1 && isSavedPage(first)) return addSavedPage(first, input, builder);
    for (const message of messages) {
      if (messages.length > 1)
        builder.leaveHeadings().heading(1, message.header.text('subject') || 'Message');
      await new MailReader(builder, input).addMessage(message);
    }
    // After the attachments, which may have titles.
    builder
      .setTitle(first.header.text('subject'))
      .setMetadata('author', addresses(first.header.raw('from')))
      .setMetadata('published_at', dateOf(first));
  },
};

/** Lines of a message are ASCII or UTF-8. Some programs save it as UTF-16 all the same, or begin with blank lines. */
function asMessageBytes(bytes: Uint8Array): Buffer {
  const order = utf16ByteOrder(bytes.subarray(0, UTF16_SAMPLE_BYTES));
  const message =
    order === null
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : Buffer.from(new TextDecoder(`utf-16${order}`).decode(bytes));
  // Mail of Apple writes the number of bytes before a message, and its properties after it (.emlx).
  const [countLine, count] =
    /^(\d{1,15})[ \r]*\n/.exec(message.toString('latin1', 0, MAX_FROM_LINE_BYTES)) ?? [];
  if (countLine !== undefined) {
    const end = countLine.length + Number(count);
    const isEnd = /^\s*<\?xml/.test(message.toString('latin1', end, end + MAX_FROM_LINE_BYTES));
    return message.subarray(countLine.length, isEnd ? end : undefined);
  }
  const start = message.findIndex((byte) => byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte));
  return message.subarray(Math.max(0, start));
}

/** A web page in one file (MHTML, RFC 2557) has its address, or a sender without one, as in `From: <Saved by Blink>`. */
function isSavedPage(message: MimePart): boolean {
  const { header, type } = message;
  const from = header.raw('from');
  if (from.includes('@') || header.has('to') || header.has('received')) return false;
  const hasAddress = message.leaves.some((leaf) => leaf.isHtml && leaf.header.has('content-location'));
  return (type === 'multipart/related' || type === 'text/html') && (from !== '' || hasAddress);
}

/** Reads the page as an uploaded one. The pages of its frames are read if the page itself has no text. */
async function addSavedPage(archive: MimePart, input: ParserInput, builder: DocumentBuilder): Promise<void> {
  const start = archive.parameters.get('start');
  const pages = archive.leaves.filter(({ isHtml }) => isHtml);
  const root = pages.find(({ header }) => start === header.raw('content-id')) ?? pages[0];
  const parser = await input.parserOf('text/html');
  builder.setTitle(archive.header.text('subject'));
  const addPage = async (page: MimePart): Promise<void> => {
    const declaredEncoding = page.parameters.get('charset') ?? input.declaredEncoding;
    await parser.parse({ ...input, declaredEncoding, bytes: new Uint8Array(page.content()) }, builder);
  };
  if (root !== undefined) await addPage(root);
  if (builder.isEmpty) for (const page of pages) if (page !== root) await addPage(page);
}

function hasKnownField({ header }: MimePart): boolean {
  return KNOWN_FIELDS.some((name) => header.has(name));
}

/** In ISO 8601 if it can be read. */
function dateOf({ header }: MimePart): string {
  const date = new Date(header.raw('date'));
  return Number.isNaN(date.getTime()) ? header.raw('date') : date.toISOString();
}

/** The messages of a file: one, or those of a mailbox. */
function mailboxMessages(file: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  let start = fromLineEnd(file, 0) ?? 0;
  if (start === 0) return [file];
  for (let at = file.indexOf(NEXT_FROM_LINE, start); at >= 0; at = file.indexOf(NEXT_FROM_LINE, at + 1)) {
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
  if (end < 0 || end - at >= MAX_FROM_LINE_BYTES) return null;
  return FROM_LINE.test(file.toString('latin1', at, end)) ? end + 1 : null;
}
