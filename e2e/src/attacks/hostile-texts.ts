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
  '\ufdfa'.repeat(QUERY_LENGTH),
  '1.'.repeat(QUERY_LENGTH / 2),
  'aA'.repeat(QUERY_LENGTH / 2),
  'ក្'.repeat(QUERY_LENGTH / 2),
  `x${'\n'.repeat(40)}X`.repeat(QUERY_LENGTH / 42),
  '['.repeat(QUERY_LENGTH),
  '[1 '.repeat(QUERY_LENGTH / 3),
  Array.from({ length: QUERY_LENGTH / 5 }, (_, n) => n.toString(36).padStart(4, 'q')).join(' '),
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
