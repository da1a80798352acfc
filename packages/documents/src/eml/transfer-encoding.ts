/**
 * Decodes the body of a part (RFC 2045, section 6, and uuencode). Unknown encodings, and text that only claims one, stay
 * as they are.
 */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return decodeBase64(body);
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    case 'x-uuencode':
    case 'uuencode':
    case 'x-uue':
    case 'uue':
      return splitEncodedFiles(body.toString('latin1')).files[0]?.content ?? body;
    default:
      return body;
  }
}

const FULL_BASE64_LINE = /^[A-Za-z\d+/]{60}/m;

/** Lists append lines of text to base64, and some texts only claim to be base64: such lines stay as they are. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const strange = text.search(/[^A-Za-z\d+/=\s]/);
  const lineStart = text.lastIndexOf('\n', strange) + 1;
  if (strange < 0 || FULL_BASE64_LINE.test(text.slice(lineStart))) return base64Bytes(text);
  return Buffer.concat([base64Bytes(text.slice(0, lineStart)), body.subarray(Math.max(0, lineStart - 1))]);
}

/** Some programs end each line, or each attachment that they joined, with its own padding. */
function base64Bytes(text: string): Buffer {
  const firstPadding = text.indexOf('=');
  if (firstPadding < 0 || /^[=\s]*$/.test(text.slice(firstPadding))) return Buffer.from(text, 'base64');
  return Buffer.concat(text.split(/=[=\s]*/).map((unit) => Buffer.from(unit, 'base64')));
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = body
    .toString('latin1')
    .replace(/=[ \t]*(?:\r?\n|$)/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** A file that a program has written between the lines of a text. */
interface EncodedFile {
  readonly name: string;
  readonly content: Buffer;
}

const UUENCODE_BEGIN = /^begin [0-7]{3,4} (\S.*)$/;
const UUENCODE_LINE = /^[ -`]+$/;
const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Takes the files in uuencode out of a text. */
export function splitEncodedFiles(source: string): {
  readonly text: string;
  readonly files: readonly EncodedFile[];
} {
  const files: EncodedFile[] = [];
  if (!/^begin [0-7]/m.test(source)) return { text: source, files };
  const lines = source.split(/\r?\n/);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const name = UUENCODE_BEGIN.exec(line)?.[1];
    if (name !== undefined && uuencodedBytes(lines[at + 1]) !== null) {
      const content: Buffer[] = [];
      for (at += 1; at < lines.length; at += 1) {
        const bytes = uuencodedBytes(lines[at]);
        if (bytes === null) break;
        content.push(bytes);
      }
      if (lines[at] === '') at += 1;
      if (lines[at]?.trim() !== 'end') at -= 1;
      files.push({ name: name.trim(), content: Buffer.concat(content) });
    } else kept.push(line);
  }
  return { text: kept.join('\n'), files };
}

/** A line has the number of its bytes, and four digits to the base 64 for each three. Some programs add a checksum. */
function uuencodedBytes(line: string | undefined): Buffer | null {
  if (line === undefined || !UUENCODE_LINE.test(line)) return null;
  const count = uuencodeDigit(line);
  const digits = Math.ceil(count / 3) * 4;
  // Spaces are digits, and many programs remove them at the end of a line.
  if (line.length > digits + 3) return null;
  const base64 = line.slice(1, digits + 1).padEnd(digits);
  return Buffer.from(
    base64.replace(/[^]/g, (digit) => BASE64_DIGITS.charAt(uuencodeDigit(digit))),
    'base64',
  ).subarray(0, count);
}

function uuencodeDigit(text: string): number {
  return (text.charCodeAt(0) - 0x20) & 0x3f;
}
