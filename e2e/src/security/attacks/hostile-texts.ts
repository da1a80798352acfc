const QUERY_LENGTH = 8_190;
const letters = (first: number, count: number): string =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(first + n)).join('');

/** Questions of the maximum length that take an analyzer, a stemmer or a tokenizer as long as possible. */
export const EXPENSIVE_QUESTIONS: readonly string[] = [
  'a'.repeat(QUERY_LENGTH),
  'harbour bergen '.repeat(QUERY_LENGTH / 15),
  letters(0x4e00, QUERY_LENGTH),
  letters(0x0e01, 46).repeat(QUERY_LENGTH / 46),
  `a${'\u0301'.repeat(QUERY_LENGTH - 1)}`,
  // Compatibility characters: too long, and as long as possible.
  '\ufdfa'.repeat(QUERY_LENGTH),
  '\u3316'.repeat(QUERY_LENGTH),
  '\ufdfa'.repeat(QUERY_LENGTH / 18),
  '\u3316'.repeat(QUERY_LENGTH / 6),
  '\ufb03 '.repeat(QUERY_LENGTH / 4),
  letters(0x3300, 0x57).repeat(QUERY_LENGTH / (0x57 * 4)),
  letters(0xac00, QUERY_LENGTH),
  '\u1112\u1161\u11ab'.repeat(QUERY_LENGTH / 3),
  // Marks that normalization has to sort.
  `a${'\u0316\u0301\u0327\u0334'.repeat(QUERY_LENGTH / 4 - 1)}`,
  `a${' '.repeat(QUERY_LENGTH - 2)}B`,
  `a${' \t'.repeat(QUERY_LENGTH / 2 - 1)}"`,
  '👨‍👩‍👧‍👦'.repeat(QUERY_LENGTH / 11),
  'Donaudampfschifffahrt'.repeat(QUERY_LENGTH / 21),
  '1.'.repeat(QUERY_LENGTH / 2),
  'aA'.repeat(QUERY_LENGTH / 2),
  'ក្'.repeat(QUERY_LENGTH / 2),
  `x${'\n'.repeat(40)}X`.repeat(QUERY_LENGTH / 42),
  '['.repeat(QUERY_LENGTH),
  '[1 '.repeat(QUERY_LENGTH / 3),
  Array.from({ length: QUERY_LENGTH / 5 }, (_, n) => n.toString(36).padStart(4, 'q')).join(' '),
];

/** Request lines and headers, as they are sent. None needs a key. */
export const ODD_REQUESTS: readonly string[] = [
  ...[
    '..%2findex.html',
    '..%5cindex.html',
    '%2e%2e%2findex.html',
    '..%252findex.html',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%c0%ae%c0%ae%2f',
    '..',
    '.',
    '',
    '%2fetc%2fpasswd',
    '..;/index.html',
    'a'.repeat(600),
    'a'.repeat(8_000),
    '%61'.repeat(500),
  ].flatMap((name) =>
    ['/assets/', '/widget.js/', '/chat/', '/library/', '/api/docs/'].map((root) => `GET ${root}${name}`),
  ),
  ...['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'QUERY'].map(
    (method) => `${method} /assets/..%2findex.html`,
  ),
  ...[
    'Range: bytes=999999999-',
    'Range: bytes=5-1',
    'Range: bytes=a-b',
    `Range: bytes=${'0-0,'.repeat(1_000)}`,
    'If-Match: "x"',
    'If-None-Match: "',
    'If-Modified-Since: rubbish',
    'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'Accept-Encoding: gzip;q=nan',
    'Expect: rubbish',
    'Upgrade: websocket',
    'Content-Length: 5',
    'Host: evil.example',
    'Host: localhost\r\nHost: evil.example',
    'Origin: null',
    `Cookie: citewell_session=${'a'.repeat(40)}\r\nCitewell-Csrf: 1`,
    'X-Forwarded-For: a, b:1, [::1]:2',
    'X-Forwarded-Host: evil.example',
  ].flatMap((header) =>
    ['/widget.js', '/favicon.svg', '/', '/api/session'].map((path) => `GET ${path}\r\n${header}`),
  ),
];

/** Parts of a path or of a query string, as they are sent. */
export const ODD_PARAMETERS: readonly string[] = [
  '%00',
  '%',
  '%ff',
  '%c0%af',
  '..%2f..%2fetc%2fpasswd',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%0d%0aX:y',
  '%25%30%30',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '0x10',
  '1e3',
  '1e309',
  '9007199254740993',
  '2147483648',
  "'%3B--",
  '{}',
  '%20',
  'a'.repeat(400),
  'a'.repeat(3_000),
  '00000000-0000-0000-0000-000000000000',
];

/** Values of fields of JSON bodies. */
export const ODD_TEXTS: readonly string[] = [
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066x',
  '\uffff',
  '\u{10ffff}',
  '\ufeff',
  '\u2028',
  '\r\n',
  "';DROP TABLE datasources;--",
  '{query}',
  '$1',
  'é'.repeat(255),
  '\u0301'.repeat(255),
  'x'.repeat(100_000),
];
