const REMOVED = '…';
/** A part of a secret that is this long is removed, too: some servers shorten what they repeat. In UTF-16 code units. */
const PIECE = 8;
/** Letters and digits of a piece. A piece with fewer of them is a word of any language. */
const MIN_LETTERS = 5;
/** A shorter secret would be found in ordinary words. */
const MIN_SECRET = 4;
/** Encodings of encodings, such as a JSON string in a JSON string. */
const MAX_ROUNDS = 4;
/** Escapes of URLs, of JSON and JavaScript, and of HTML. */
const ESCAPE =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&[a-z]{2,8};/gi;
const LETTER = /^[a-z0-9]$/;

/** A character after decoding, in lower case, and the place in the original text that it stands for. */
interface Letter {
  character: string;
  from: number;
  to: number;
}

/**
 * Removes secrets and parts of them of 8 characters or more: in plain text, escaped for URLs, JSON or HTML, in Base64 and in
 * hexadecimal, in upper and lower case, and also if spaces or signs separate their letters. All text that comes from a
 * server which knows a secret passes this function before it is truncated, shown, stored or logged.
 *
 * @param text a few thousand characters at most
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= MIN_SECRET);
  return long.reduce(
    (safe, secret) => withoutPieces(safe.replaceAll(secret, REMOVED), piecesOf(secret)),
    text,
  );
}

function withoutPieces(text: string, pieces: ReadonlyMap<number, ReadonlySet<string>>): string {
  const letters = lettersOf(text);
  const decoded = letters.map(({ character }) => character).join('');
  let safe = '';
  let kept = 0;
  for (let at = 0; at < decoded.length; at += 1) {
    for (const [length, known] of pieces) {
      const last = letters[at + length - 1];
      const from = letters[at]?.from ?? 0;
      if (!last || last.to <= kept || !known.has(decoded.slice(at, at + length))) continue;
      if (from > kept || kept === 0) safe += text.slice(kept, from) + REMOVED;
      kept = last.to;
    }
  }
  return safe + text.slice(kept);
}

/** The pieces of all forms of a secret, by their number of letters. */
function piecesOf(secret: string): ReadonlyMap<number, ReadonlySet<string>> {
  const pieces = new Map<number, Set<string>>();
  const add = (letters: string): void => {
    const known = pieces.get(letters.length) ?? new Set();
    pieces.set(letters.length, known.add(letters));
  };
  for (const form of formsOf(secret)) {
    const whole = onlyLetters(form);
    if (whole.length >= MIN_SECRET) add(whole);
    for (let at = 0; at + PIECE <= form.length; at += 1) {
      const letters = onlyLetters(form.slice(at, at + PIECE));
      if (letters.length >= MIN_LETTERS) add(letters);
    }
  }
  return pieces;
}

/** A secret as it is, in hexadecimal, and in Base64 after texts of any length. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    // The first and the last character also encode bits of what is before and after the secret.
    return encoded.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [secret, bytes.toString('hex'), ...inBase64];
}

function onlyLetters(text: string): string {
  return [...text.toLowerCase()].filter((character) => LETTER.test(character)).join('');
}

/** The letters and digits of a text, decoded. */
function lettersOf(text: string): Letter[] {
  let letters = Array.from({ length: text.length }, (_, from) => ({
    character: text.charAt(from),
    from,
    to: from + 1,
  }));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoded = decodedOnce(letters);
    if (decoded.length === letters.length) break;
    letters = decoded;
  }
  return letters
    .map((letter) => ({ ...letter, character: letter.character.toLowerCase() }))
    .filter(({ character }) => LETTER.test(character));
}

function decodedOnce(letters: readonly Letter[]): Letter[] {
  const text = letters.map(({ character }) => character).join('');
  const decoded: Letter[] = [];
  let done = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [escape, url, json, javaScript, html, decimal] = match;
    decoded.push(...letters.slice(done, match.index));
    done = match.index + escape.length;
    const from = letters[match.index]?.from ?? 0;
    const to = letters[done - 1]?.to ?? from;
    const hex = url ?? json ?? javaScript ?? html;
    const code = hex === undefined ? Number(decimal ?? 0) : parseInt(hex, 16);
    // Keys have no other characters than those of an HTTP header. A named entity is a sign.
    decoded.push({ character: code < 256 ? String.fromCharCode(code) : ' ', from, to });
  }
  return [...decoded, ...letters.slice(done)];
}
