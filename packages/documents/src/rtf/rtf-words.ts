/** What becomes of the text in a group. */
export type SinkKind =
  | 'body'
  | 'box'
  | 'fonts'
  | 'info'
  | 'label'
  | 'note'
  | 'skipped'
  | 'styles'
  | 'title'
  | 'author'
  | 'subject'
  | 'keywords';

const SKIPPED =
  'aftncn aftnsep aftnsepc colortbl comment fldinst footer footerf footerl footerr ftncn ftnsep ftnsepc header headerf ' +
  'headerl headerr mmathPr nonesttables nonshppict pict rxe shprslt sp tc xe';

/** Control words that begin a destination (RTF 1.9.1, appendix B), and what becomes of its text. */
export const DESTINATIONS: ReadonlyMap<string, SinkKind> = new Map<string, SinkKind>([
  ...SKIPPED.split(' ').map((word) => [word, 'skipped'] as const),
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
export const OPTIONAL_DESTINATIONS: ReadonlySet<string> = new Set(['shpinst']);

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
