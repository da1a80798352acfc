export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  /** A control word such as `\b0`, or a control symbol such as `\~`. */
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  /** Bytes of text, one per character (Latin-1). */
  | { readonly kind: 'text'; readonly bytes: string };

const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

const OPEN = { kind: 'open' } as const;
const CLOSE = { kind: 'close' } as const;

/**
 * Divides RTF into tokens (RTF 1.9.1, "RTF Syntax"). Line breaks and binary data are skipped.
 *
 * @param rtf one character per byte
 */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  let at = 0;
  for (;;) {
    // Other calls use the pattern between two tokens of this one.
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(rtf);
    if (match === null) return;
    at = TOKEN.lastIndex;
    const [, word, digits, hex, symbol, brace, bytes] = match;
    const value = digits === undefined ? undefined : Number(digits);
    if (bytes !== undefined) yield { kind: 'text', bytes };
    else if (hex !== undefined) yield { kind: 'text', bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (brace !== undefined) yield brace === '{' ? OPEN : CLOSE;
    else if (symbol !== undefined) yield { kind: 'control', word: symbol, value: undefined };
    else if (word === 'bin') at += Math.max(0, value ?? 0);
    else if (word !== undefined) yield { kind: 'control', word, value };
  }
}

/** What becomes of the text in a group. */
export type SinkKind =
  | 'body'
  | 'box'
  | 'fonts'
  | 'comment'
  | 'commentAuthor'
  | 'info'
  | 'margin'
  | 'label'
  | 'note'
  | 'skipped'
  | 'styles'
  | 'title'
  | 'author'
  | 'subject'
  | 'keywords';

const SKIPPED =
  'aftncn aftnsep aftnsepc colortbl comment fldinst ftncn ftnsep ftnsepc mmathPr nonesttables nonshppict pict rxe shprslt ' +
  'sp tc xe';
const MARGINS = 'footer footerf footerl footerr header headerf headerl headerr';

/** Control words that begin a destination (RTF 1.9.1, appendix B), and what becomes of its text. */
export const DESTINATIONS: ReadonlyMap<string, SinkKind> = new Map<string, SinkKind>([
  ...SKIPPED.split(' ').map((word) => [word, 'skipped'] as const),
  ...MARGINS.split(' ').map((word) => [word, 'margin'] as const),
  ['annotation', 'comment'],
  ['atnauthor', 'commentAuthor'],
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['listtext', 'label'],
  ['pntext', 'label'],
  ['footnote', 'note'],
  ['shptxt', 'box'],
  ['info', 'info'],
  ['title', 'title'],
  ['author', 'author'],
  ['subject', 'subject'],
  ['keywords', 'keywords'],
]);

/** Optional destinations (`\*`) that contain text to read. All others are skipped. */
export const OPTIONAL_DESTINATIONS: ReadonlySet<string> = new Set(['annotation', 'atnauthor', 'shpinst']);

/** Control words and symbols that stand for a text. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['line', '\n'],
  ['page', '\n'],
  ['column', '\n'],
  ['tab', '\t'],
  ['\t', '\t'],
  ['nestcell', ' '],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['{', '{'],
  ['}', '}'],
  ['\\', '\\'],
]);
