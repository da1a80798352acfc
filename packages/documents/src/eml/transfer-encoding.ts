const EQUALS = 0x3d;
const LINE_FEED = 0x0a;
/** A text that claims to be base64 is not, if more than this share of its first characters cannot be. */
const MAX_STRANGE_SHARE = 0.05;
const SAMPLE_BYTES = 4096;

/** Decodes the body of a part (RFC 2045, section 6). Unknown encodings, and text that only claims one, stay as they are. */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return looksLikeBase64(body) ? decodeBase64(body) : body;
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    default:
      return body;
  }
}

function looksLikeBase64(body: Buffer): boolean {
  const sample = body.toString('latin1', 0, SAMPLE_BYTES).replace(/\r?\n/g, '');
  const strange = sample.match(/[^A-Za-z\d+/=]/g)?.length ?? 0;
  return strange <= sample.length * MAX_STRANGE_SHARE;
}

/** Some programs end each line, or each attachment that they joined, with its own padding. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const firstPadding = text.indexOf('=');
  if (firstPadding < 0 || /^[=\s]*$/.test(text.slice(firstPadding))) return Buffer.from(text, 'base64');
  return Buffer.concat(text.split(/=[=\s]*/).map((unit) => Buffer.from(unit, 'base64')));
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte !== EQUALS) {
      decoded[length] = byte;
      length += 1;
      continue;
    }
    const lineEnd = softBreakEnd(body, at + 1);
    if (lineEnd !== null) {
      at = lineEnd;
      continue;
    }
    const value = hexByte(body, at + 1);
    decoded[length] = value ?? EQUALS;
    length += 1;
    if (value !== null) at += 2;
  }
  return decoded.subarray(0, length);
}

/** The offset of the line feed if only white space precedes it, or the last offset of the body. */
function softBreakEnd(body: Buffer, from: number): number | null {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x09 || body[at] === 0x0d) at += 1;
  if (at >= body.length) return at;
  return body[at] === LINE_FEED ? at : null;
}

function hexByte(body: Buffer, at: number): number | null {
  const digits = body.toString('latin1', at, at + 2);
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : null;
}
