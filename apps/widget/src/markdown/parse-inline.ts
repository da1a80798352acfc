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

/** Text between two equal marks. The first pattern matches at the current position only. */
type Span = readonly [kind: 'code' | 'strong' | 'emphasis', open: RegExp, close: RegExp];

const MAX_DEPTH = 4;

/** In the order in which they are tried. */
const RULES: readonly Rule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, parse: ([, text = '']) => ({ kind: 'text', text }) },
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
    // A bare address ends before the punctuation after it.
    pattern: /<(https?:\/\/[^\s<>]{0,2000})>|https?:\/\/[^\s<>]{0,2000}[^\s<>.,;:!?)\]*_'"]/y,
    parse: ([all, href = all]) => link(href, [{ kind: 'text', text: href }]),
  },
];

/** A mark must touch the text on its inside, except for code. An underscore inside a word, as in `file_name`, is no mark. */
const SPANS: readonly Span[] = [
  ['code', /(?<!`)`(?!`)/y, /(?<!`)`(?!`)/g],
  ['code', /(?<!`)``(?!`)/y, /(?<!`)``(?!`)/g],
  ['strong', /\*\*(?=\S)/y, /(?<=\S)\*\*(?!\*)/g],
  ['strong', /(?<![\p{L}\p{N}])__(?=\S)/uy, /(?<=\S)__(?![\p{L}\p{N}])/gu],
  ['emphasis', /\*(?=\S)/y, /(?<=\S)\*(?!\*)/g],
  ['emphasis', /(?<![\p{L}\p{N}])_(?=\S)/uy, /(?<=\S)_(?![\p{L}\p{N}])/gu],
];

/** Parses the inline constructs of Markdown that answers have. Everything else stays text. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text: source }];
  const pieces: Inline[] = [];
  /** Marks that the rest of the source does not have. Each is searched once, so that the time is linear. */
  const absent = new Set<RegExp>();
  let position = 0;
  /** Reads the construct or character at the position. */
  const next = (): Inline => {
    for (const { pattern, parse } of RULES) {
      pattern.lastIndex = position;
      const found = pattern.exec(source);
      const piece = found && parse(found, depth);
      if (piece) {
        position += found[0].length;
        return piece;
      }
    }
    for (const [kind, open, close] of SPANS) {
      open.lastIndex = position;
      if (absent.has(close) || !open.test(source)) continue;
      const start = open.lastIndex;
      close.lastIndex = start + 1;
      const found = close.exec(source);
      if (found) {
        position = close.lastIndex;
        const text = source.slice(start, found.index);
        return kind === 'code'
          ? { kind, text: withAddedCitations(text.replace(/^ (.*) $/s, '$1')) }
          : { kind, children: parseInline(text, depth + 1) };
      }
      absent.add(close);
    }
    position += 1;
    return { kind: 'text', text: source.charAt(position - 1) };
  };
  while (position < source.length) {
    const piece = next();
    const last = pieces.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') last.text += piece.text;
    else pieces.push(piece);
  }
  return pieces;
}

/** Only addresses of the web become links. */
function link(href: string, children: Inline[]): Inline | null {
  return href.length <= 2000 && isWebAddress(href) ? { kind: 'link', href, children } : null;
}

export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
