const HTML = 'text/html';

/** Words of a text directive, and the fewest that are unlikely to match another place on the page. */
const MAX_WORDS = 8;
const MIN_WORDS = 4;
/** Characters of a line that are searched for words: far more than {@link MAX_WORDS} words take. */
const MAX_LINE_CHARACTERS = 400;
/** List items and their continuation lines. The page shows them without these markers. */
const LIST_LINE = /^(?:\s|[-•☐☒]\s|\d+[.)]\s)/;
/**
 * Characters that canonical text uses where the page has other markup: cells, notes, ruby, superscripts,
 * quotes.
 */
const NOT_ON_PAGE = /[|[\]()^"]/;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A passage of a web document. */
export interface CitedPassage {
  readonly url: string;
  /** Media type of the document; null when unknown. */
  readonly contentType: string | null;
  readonly anchor: string | null;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * The URL that scrolls to a passage: with its anchor, or, on an HTML page, with a text directive of its first
 * words of prose (https://wicg.github.io/scroll-to-text-fragment). A browser that does not find the words
 * opens the page at its top.
 */
export function citationAddress({ url, contentType, anchor, headingPath, text }: CitedPassage): string {
  const [page = url] = url.split('#', 1);
  if (anchor !== null && anchor !== '') return `${page}#${encodeURIComponent(anchor.toWellFormed())}`;
  const phrase = contentType === HTML ? firstWords(text, headingPath) : null;
  if (phrase === null) return url;
  // The URL's own fragment stays: single-page applications select the page with it.
  const [fragment = ''] = url.slice(page.length + 1).split(':~:', 1);
  // In a text directive, a hyphen separates context from the phrase.
  return `${page}#${fragment}:~:text=${encodeURIComponent(phrase.toWellFormed()).replaceAll('-', '%2D')}`;
}

/**
 * The first words of the first line that the page shows unchanged. A line with {@link MAX_WORDS} words is
 * preferred to an earlier, shorter one.
 */
function firstWords(text: string, headings: readonly string[]): string | null {
  let shorter: string | null = null;
  for (const line of text.split('\n')) {
    if (LIST_LINE.test(line) || headings.includes(line)) continue;
    const { phrase, count } = leadingWords(line);
    if (count === MAX_WORDS) return phrase;
    if (count >= MIN_WORDS) shorter ??= phrase;
  }
  return shorter;
}

function leadingWords(line: string): { readonly phrase: string; readonly count: number } {
  const [plain = ''] = line.slice(0, MAX_LINE_CHARACTERS).split(NOT_ON_PAGE, 1);
  // A word that the limit truncates does not count.
  const limit =
    plain.length === MAX_LINE_CHARACTERS && line.length > MAX_LINE_CHARACTERS ? plain.length : Infinity;
  let count = 0;
  let start = 0;
  let end = 0;
  for (const { index, segment, isWordLike } of words.segment(plain)) {
    if (isWordLike !== true || index + segment.length >= limit) continue;
    if (count === 0) start = index;
    count += 1;
    end = index + segment.length;
    if (count === MAX_WORDS) break;
  }
  return { phrase: plain.slice(start, end), count };
}
