import { SENTENCE_MARK, withAddedCitations } from '@citewell/sdk';

/** A piece of a line of Markdown. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  /** `isAdded`: by the service, not by the model. */
  | { kind: 'citation'; number: number; isAdded: boolean }
  | { kind: 'unsupported' }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

interface Rule {
  /** Matches at the current position only. */
  pattern: RegExp;
  /** Null: not this construct after all. */
  parse(match: RegExpExecArray, depth: number): Inline | null;
}

const MAX_DEPTH = 4;
/** Bounds the search for the end of a construct, so that text without ends takes linear time. */
const UP_TO = '{1,1000}?';

/** In the order in which they are tried. */
const RULES: readonly Rule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, parse: ([, text = '']) => ({ kind: 'text', text }) },
  {
    pattern: new RegExp(`(\`+)([^]${UP_TO})(?<!\`)\\1(?!\`)`, 'y'),
    parse: ([, , text = '']) => ({ kind: 'code', text: withAddedCitations(text.replace(/^ (.*) $/s, '$1')) }),
  },
  {
    pattern: /\[(\d{1,4})\](?!\()/y,
    parse: ([, number]) => ({ kind: 'citation', number: Number(number), isAdded: false }),
  },
  {
    pattern: new RegExp(SENTENCE_MARK, 'y'),
    parse: ([, number]) =>
      number ? { kind: 'citation', number: Number(number), isAdded: true } : { kind: 'unsupported' },
  },
  {
    pattern: /\[([^[\]]{1,500})\]\((\S{1,2000}?)(?:\s+"[^"]{0,500}")?\)/y,
    parse: ([, text = '', href = ''], depth) => link(href, parseInline(text, depth + 1)),
  },
  {
    pattern: /<(https?:\/\/[^\s<>]{1,2000})>/y,
    parse: ([, href = '']) => link(href, [{ kind: 'text', text: href }]),
  },
  {
    pattern: /https?:\/\/[^\s<>]{1,2000}?(?=[.,;:!?)\]*_'"]*(?:[\s<>]|$))/y,
    parse: ([href]) => link(href, [{ kind: 'text', text: href }]),
  },
  emphasis('strong', '\\*\\*'),
  emphasis('strong', '__'),
  emphasis('emphasis', '\\*'),
  emphasis('emphasis', '_'),
];

/** The mark must touch the text on its inside. An underscore inside a word, as in `file_name`, is no mark. */
function emphasis(kind: 'strong' | 'emphasis', mark: string): Rule {
  const isUnderscore = mark.startsWith('_');
  const before = isUnderscore ? '(?<![\\p{L}\\p{N}])' : '';
  const after = isUnderscore ? '(?![\\p{L}\\p{N}])' : '(?!\\*)';
  return {
    pattern: new RegExp(`${before}${mark}(?=\\S)([^]${UP_TO})(?<=\\S)${mark}${after}`, 'uy'),
    parse: ([, text = ''], depth) => ({ kind, children: parseInline(text, depth + 1) }),
  };
}

/** Parses the inline constructs of Markdown that answers have. Everything else stays text. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text: source }];
  const pieces: Inline[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  for (let position = 0; position < source.length;) {
    const found = match(source, position, depth);
    if (!found) {
      text += source[position];
      position += 1;
    } else if (found.piece.kind === 'text') {
      text += found.piece.text;
      position = found.end;
    } else {
      flush();
      pieces.push(found.piece);
      position = found.end;
    }
  }
  flush();
  return pieces;
}

function match(source: string, position: number, depth: number): { piece: Inline; end: number } | null {
  for (const { pattern, parse } of RULES) {
    pattern.lastIndex = position;
    const found = pattern.exec(source);
    const end = pattern.lastIndex;
    const piece = found && parse(found, depth);
    if (piece) return { piece, end };
  }
  return null;
}

/** Only addresses of the web become links. */
function link(href: string, children: Inline[]): Inline | null {
  return isWebAddress(href) ? { kind: 'link', href, children } : null;
}

export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
