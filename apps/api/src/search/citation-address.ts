const HTML = 'text/html';

/** Words of a text directive, and those with which one is hardly meant for something else on the page. */
const MAX_WORDS = 8;
const MIN_WORDS = 4;
/** Of a line: far more than so many words take. */
const MAX_LINE_CHARACTERS = 400;
/** Items of lists, and their lines below the first: a page shows them without these signs. */
const LIST_LINE = /^(?:\s|[-•☐☒]\s|\d+[.)]\s)/;
/** Between cells, around notes and readings, for powers and quotes: what a canonical text writes otherwise than a page. */
const REWRITTEN = /[|[\]()^"]/;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Where on the web a passage is. */
export interface CitedPlace {
  readonly url: string;
  /** Of what was read there. */
  readonly contentType: string | null;
  readonly anchor: string | null;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * The address that leads to a passage: to its anchor, or, on a web page, to its first words of prose by a text directive
 * (https://wicg.github.io/scroll-to-text-fragment). A browser that does not find those opens the page as it is.
 */
export function citationAddress({ url, contentType, anchor, headingPath, text }: CitedPlace): string {
  const [page = url] = url.split('#', 1);
  if (anchor !== null && anchor !== '') return `${page}#${encodeURIComponent(anchor.toWellFormed())}`;
  const phrase = contentType === HTML ? firstWords(text, headingPath) : null;
  if (phrase === null) return url;
  // What the address leads to itself may be what the page shows: addresses of programs look like that.
  const [fragment = ''] = url.slice(page.length + 1).split(':~:', 1);
  // A hyphen would mark context before or after the phrase.
  return `${page}#${fragment}:~:text=${encodeURIComponent(phrase.toWellFormed()).replaceAll('-', '%2D')}`;
}

/** The beginning of the first line that stands on the page as it stands in the text; a longer one, if there is. */
function firstWords(text: string, headings: readonly string[]): string | null {
  let found: string | null = null;
  for (const line of text.split('\n')) {
    if (LIST_LINE.test(line) || headings.includes(line)) continue;
    const { phrase, count } = beginningOf(line);
    if (count === MAX_WORDS) return phrase;
    if (count >= MIN_WORDS) found ??= phrase;
  }
  return found;
}

function beginningOf(line: string): { readonly phrase: string; readonly count: number } {
  const beginning = line.slice(0, MAX_LINE_CHARACTERS);
  const [plain = ''] = beginning.split(REWRITTEN, 1);
  // A word that the limit cuts is none.
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
