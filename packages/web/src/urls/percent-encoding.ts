/** Escapes, stray percent signs, and every character that RFC 3986 does not allow to stand in a path or a query. */
const TO_REWRITE = /%([0-9a-fA-F]{2})?|[^\w\-.~!$&'()*+,;=:@/?]/gu;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * One spelling of a path or a query: unreserved characters bare, everything else that may not be bare escaped with
 * upper-case digits (RFC 3986, sections 6.2.2.1 and 6.2.2.2). Reserved characters stay as they are, because `,` and
 * `%2C` may be two pages. A percent sign that escapes nothing becomes `%25`: left alone, it could start an escape
 * once its neighbours were decoded.
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
