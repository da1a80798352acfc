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
