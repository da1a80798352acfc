import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import libmime from 'libmime';
import { type Address, addressParser, decodeWords } from 'postal-mime';
import { singleLine } from '../document/canonical-text.js';
import { DocumentBuilder, type PictureSource } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { ParserInput } from '../document-parser.js';
import { type FileType, isTextual, typeOfExtension, typeOfMimeType } from '../file-type/file-type.js';
import { extensionOf } from '../file-type/index.js';
import { addHtml } from '../html/html.parser.js';
import { calendarEntries, isCalendar } from '../plain-text/calendar.js';
import { addPlainText } from '../plain-text/plain-text.parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { readArmor } from './body-text.js';
import { isHtmlType, type MimePart, readMessage } from './mime-part.js';
import { signedContent } from './secured-content.js';
import { splitEncodedFiles } from './transfer-encoding.js';

const URL_IN_TEXT = /\b(?:https?:\/\/|www\.)\S+|\bcid:\S+/gi;
const OUTLOOK_PACKAGE = /^winmail\.dat$/i;
const SECURED_TYPE = /^application\/(?:x-)?pkcs7-mime$/;
/** Such as `invoice.pdf.p7m`. */
const SIGNED_FILE = /\.\w+\.p7[mz]$/i;
/** The space that would join the line before a signature to the line of the signature (RFC 3676, section 4.3). */
const BEFORE_SIGNATURE = / (?=\r?\n-- \r?\n)/g;
const SIGNATURE_TYPE = /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/;

/** Which parts of a message are added: all; or only attachments, where another alternative of the body was chosen. */
type Wanted = 'all' | 'attachments';

/** Adds messages to a document: header fields, body, attached messages and texts, and the names of other attachments. */
export class MailReader {
  private readonly attachments: string[] = [];
  private readonly pictures: MimePart[] = [];
  /** By their ids, for the pages that show them. */
  private readonly related = new Map<string, MimePart>();
  private readonly calendarEntries = new Set<string>();
  private readonly texts = new Map<MimePart, string>();

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly input: ParserInput,
  ) {}

  async addMessage(message: MimePart): Promise<void> {
    this.builder.block('paragraph', headerLines(message).join('\n'));
    for (const part of message.leaves)
      this.related.set(part.header.raw('content-id').replace(/^\s*<|>\s*$/g, ''), part);
    await this.addPart(message, 'all');
    this.builder.leaveHeadings().block('paragraph', this.attachments.join('\n'));
    for (const picture of this.pictures) this.addPicture(picture);
  }

  /** The shown text of the bodies of a part. Kept, because alternatives may be in others. */
  private async textOf(part: MimePart): Promise<string> {
    const known = this.texts.get(part);
    if (known !== undefined) return known;
    const scratch = new DocumentBuilder({ maxCharacters: Number.POSITIVE_INFINITY });
    if (!part.isMultipart && part.isBody) await new MailReader(scratch, this.input).addBody(part);
    let text = scratch.isEmpty ? '' : scratch.build().text.replace(URL_IN_TEXT, ' ');
    for (const child of part.children) text += `\n${await this.textOf(child)}`;
    this.texts.set(part, text);
    return text;
  }

  private async addPart(part: MimePart, wanted: Wanted, isRelated = false): Promise<void> {
    if (part.isMultipart) {
      if (part.type === 'multipart/alternative') return this.addAlternatives(part, wanted);
      if (part.type === 'multipart/encrypted') this.warnAboutEncrypted();
      const hasRoot = part.type === 'multipart/related';
      for (const [index, child] of part.children.entries())
        await this.addPart(child, wanted, isRelated || (hasRoot && index > 0));
      return;
    }
    try {
      await this.addSinglePart(part, wanted, isRelated);
    } catch (error) {
      // One bad part does not make the message unreadable.
      if (error instanceof DocumentError && error.code === 'TOO_COMPLEX') throw error;
      this.nameAttachment(part);
      const reason =
        error instanceof DocumentError ? error.userMessage : 'Save it as a file and upload that.';
      this.builder.warn(
        'PARTLY_READ',
        `The part ${nameOf(part)} of the message could not be read. ${reason}`,
      );
    }
  }

  private async addSinglePart(part: MimePart, wanted: Wanted, isRelated: boolean): Promise<void> {
    if (isMessage(part)) return this.addAttachedMessage(part);
    if (isCalendarPart(part)) return this.addCalendar(await this.decode(part));
    if (part.isBody) {
      if (wanted === 'all') await this.addBody(part);
      return;
    }
    const type = textTypeOf(part);
    if (type !== null) return this.addTextAttachment(part, type);
    if (SECURED_TYPE.test(part.type)) return this.addSecured(part);
    // A picture within an HTML body.
    if (isRelated && part.header.has('content-id')) return;
    if (!SIGNATURE_TYPE.test(part.type)) this.nameAttachment(part);
    if (part.type.startsWith('image/')) this.pictures.push(part);
  }

  /** Adds the text of an attached picture, under its name. */
  private addPicture(part: MimePart): void {
    const recognized = this.builder.pictures?.read(pictureOf(part));
    if (recognized == null) return;
    this.builder.leaveHeadings().heading(2, nameOf(part)).addRecognized(recognized);
  }

  /**
   * Reads HTML rather than plain text, and the last one of several, but none with less than half of the letters of another.
   * What only the others have becomes a warning.
   */
  private async addAlternatives(part: MimePart, wanted: Wanted): Promise<void> {
    const having = (test: (type: string) => boolean): MimePart[] =>
      part.children.filter(({ bodyTypes }) => [...bodyTypes].some(test)).toReversed();
    const preferred = [
      ...having(isHtmlType),
      ...having((type) => type === 'text/plain'),
      ...having(() => true),
    ];
    const texts = [];
    for (const child of new Set([...preferred, ...part.children])) {
      const text = await this.textOf(child);
      texts.push({ child, text, letters: text.replace(/[^\p{L}\p{N}]+/gu, '').length });
    }
    const half = texts.reduce((most, { letters }) => Math.max(most, letters), 0) / 2;
    texts.sort((one, other) => Number(other.letters >= half) - Number(one.letters >= half));
    for (const [index, { child, text }] of texts.entries()) {
      const isRead = index === 0 || half === 0;
      if (!isRead && wanted === 'all') this.builder.see(text);
      await this.addPart(child, isRead ? wanted : 'attachments');
    }
  }

  private async addBody(part: MimePart): Promise<void> {
    const text = await this.decode(part);
    if (part.isHtml)
      addHtml(text, this.builder, {
        pictureOf: (address) => {
          const picture = /^cid:/i.test(address) ? this.related.get(address.slice(4)) : undefined;
          return picture === undefined ? null : pictureOf(picture);
        },
      });
    else if (isCalendar(text)) this.addCalendar(text);
    else await this.addPlainBody(text);
  }

  private async addPlainBody(source: string): Promise<void> {
    const { text, isEncrypted } = readArmor(source, this.builder);
    if (isEncrypted) this.warnAboutEncrypted();
    const { text: shown, files } = splitEncodedFiles(text);
    addPlainText(shown, this.builder);
    for (const { name, content } of files) {
      const header = `Content-Type: application/octet-stream; name="${name.replace(/["\\]/g, '')}"\r\n\r\n`;
      await this.addPart(readMessage(Buffer.concat([Buffer.from(header), content])), 'all');
    }
  }

  /** Invitations often have the same event in two parts. */
  private addCalendar(text: string): void {
    const entries = calendarEntries(text);
    if (entries.length === 0) addPlainText(text, this.builder);
    for (const entry of entries) {
      if (!this.calendarEntries.has(entry)) this.builder.block('paragraph', entry);
      this.calendarEntries.add(entry);
    }
  }

  private async decode(part: MimePart): Promise<string> {
    const bytes = new Uint8Array(part.content());
    const declared = part.parameters.get('charset');
    if (/^(?:unicode-1-1-)?utf-?7$/i.test(declared ?? '')) return iconv.decode(bytes, 'utf-7');
    // Base64 of UTF-16 without a byte order mark is too short to be recognized. The message itself may have been UTF-16.
    const isWide = /^utf-?(?:16|32)/i.test(declared ?? '') && (bytes.includes(0) || !isUtf8(bytes));
    const certain = isWide ? declared : undefined;
    const chosen = isUtf8(bytes) ? certain : (this.input.encoding ?? certain);
    const text = await readText({ ...this.input, bytes, encoding: chosen }, this.builder, declared);
    if (!/^flowed$/i.test(part.parameters.get('format') ?? '')) return text;
    const deletesSpaces = /^yes$/i.test(part.parameters.get('delsp') ?? '');
    return libmime.decodeFlowed(text.replace(BEFORE_SIGNATURE, ''), deletesSpaces);
  }

  private async addAttachedMessage(part: MimePart): Promise<void> {
    const message = part.message(part.content());
    const subject = singleLine(message.header.text('subject'));
    this.builder.leaveHeadings().heading(2, subject || part.fileName || 'Attached message');
    await new MailReader(this.builder, this.input).addMessage(message);
  }

  private async addTextAttachment(part: MimePart, type: FileType): Promise<void> {
    const name = nameOf(part);
    this.builder.leaveHeadings().heading(2, name);
    const declaredEncoding = part.parameters.get('charset') ?? this.input.declaredEncoding;
    const bytes = new Uint8Array(part.content());
    const parser = await this.input.parserOf(type);
    await parser.parse({ ...this.input, bytes, fileName: name, declaredEncoding }, this.builder);
  }

  /** A message that is encrypted, or signed in one piece. */
  private async addSecured(part: MimePart): Promise<void> {
    const content = signedContent(part.content());
    if (content !== null && content.length > 0 && !SIGNED_FILE.test(part.fileName ?? ''))
      return this.addPart(part.message(content), 'all');
    this.nameAttachment(part);
    if (content === null) this.warnAboutEncrypted();
  }

  private warnAboutEncrypted(): void {
    this.builder.warn(
      'PARTLY_READ',
      'A part of the message is encrypted with a certificate or a key. Open the message in the mail program that can decrypt it, save the decrypted text, and upload that.',
    );
  }

  private nameAttachment(part: MimePart): void {
    this.attachments.push(`Attachment: ${nameOf(part)}`);
    if (part.type !== 'application/ms-tnef' && !OUTLOOK_PACKAGE.test(part.fileName ?? '')) return;
    this.builder.warn(
      'PARTLY_READ',
      'The message has its formatted text and its attachments in winmail.dat, which only Outlook can read. Ask the sender for a message in HTML or plain text.',
    );
  }
}

function pictureOf(part: MimePart): PictureSource {
  const bytes = part.content();
  return { size: bytes.length, bytes: () => bytes };
}

function headerLines({ header }: MimePart): string[] {
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['From', addresses(header.raw('from'))],
    ['To', addresses(header.raw('to'))],
    ['Cc', addresses(header.raw('cc'))],
    ['Date', header.raw('date')],
    ['Subject', header.text('subject')],
  ];
  // Encoded words may contain line breaks, which would look like further fields.
  return fields
    .map(([name, value]) => [name, singleLine(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
}

export function addresses(field: string): string {
  return addressParser(field).map(addressText).join(', ') || decodeWords(field);
}

function addressText({ name, address, group }: Address): string {
  const shown = decodeWords(name);
  if (group !== undefined) return `${shown}: ${group.map(addressText).join(', ')};`;
  return shown === '' ? address : `${shown} <${address}>`;
}

function nameOf({ fileName, type }: MimePart): string {
  return singleLine(fileName ?? type);
}

function isCalendarPart({ type, fileName }: MimePart): boolean {
  return type === 'text/calendar' || type === 'application/ics' || /\.ics$/i.test(fileName ?? '');
}

function isMessage({ type, fileName }: MimePart): boolean {
  return /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)$/.test(type) || /\.eml$/i.test(fileName ?? '');
}

/** The type of an attachment that is text and whose format is read without a sandbox of its own. */
function textTypeOf({ type, fileName }: MimePart): FileType | null {
  const byName = fileName === null ? null : typeOfExtension(extensionOf(fileName));
  const known = byName ?? typeOfMimeType(type);
  if (known !== null) return isTextual(known) && known !== 'message/rfc822' ? known : null;
  return type.startsWith('text/') ? 'text/plain' : null;
}
