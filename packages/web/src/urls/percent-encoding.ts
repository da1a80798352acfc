/** Escapes, stray percent signs, and every character that RFC 3986 does not allow in a path or a query. */
const TO_REWRITE = /%([0-9a-fA-F]{2})?|[^\w\-.~!$&'()*+,;=:@/?]/gu;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * The canonical spelling of a path or a query: unreserved characters are unescaped, and all others that need
 * an escape have one with upper-case digits (RFC 3986, sections 6.2.2.1 and 6.2.2.2). Reserved characters
 * stay as they are, because `,` and `%2C` may lead to two pages. A percent sign that starts no escape becomes
 * `%25`; otherwise it could start one after the characters behind it are unescaped.
 */
export function normalizePercentEncoding(text: string): string {
  return text.replace(TO_REWRITE, (found, digits: string | undefined) => {
    if (digits === undefined) return found === '%' ? '%25' : encodeCharacter(found);
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

function encodeCharacter(character: string): string {
  const escapes = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
  return escapes.join('').toUpperCase();
}
