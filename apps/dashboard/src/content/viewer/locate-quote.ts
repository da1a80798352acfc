/** A part of one text item of a page: `from` and `to` are offsets in its string. */
export interface ItemPart {
  readonly item: number;
  readonly from: number;
  readonly to: number;
}

/** Compared characters: letters and digits. Spaces, hyphens and ligatures differ between a page and its text. */
const COMPARED = /[\p{L}\p{N}]/u;
const PUNCTUATION = /^[^\p{L}\p{N}\s]+/u;
const PUNCTUATION_END = /[^\p{L}\p{N}\s]\s*$/u;
/** A shorter common part could be anywhere. */
const MIN_COMMON = 12;

/**
 * Finds a quote in the text items of a PDF page. A quote may begin on an earlier page or end on a later one: then the
 * part that is on this page is found, and headers or notes that were moved out of the text do not matter.
 *
 * @param items the strings of the page's text content, in its order
 * @returns the parts of the items that the quote covers, with its final punctuation; empty if less than 12 characters are common
 */
export function locateQuote(items: readonly string[], quote: string): ItemPart[] {
  const page = compared(
    items.flatMap((text, item) => [...charactersOf(text)].map((char) => ({ ...char, item }))),
  );
  const wanted = compared([...charactersOf(quote)]);
  const pageText = page.map(({ char }) => char).join('');
  const quoteText = wanted.map(({ char }) => char).join('');
  const found = longestCommon(pageText, quoteText);
  if (found === null) return [];
  const parts: ItemPart[] = [];
  for (const { item, at, length } of page.slice(found.start, found.end)) {
    const last = parts.at(-1);
    if (last?.item === item) parts[parts.length - 1] = { ...last, to: at + length };
    else parts.push({ item, from: at, to: at + length });
  }
  const last = parts.at(-1);
  if (last === undefined || !PUNCTUATION_END.test(quote)) return parts;
  const rest = items[last.item]?.slice(last.to) ?? '';
  const [punctuation = ''] = PUNCTUATION.exec(rest) ?? [];
  return [...parts.slice(0, -1), { ...last, to: last.to + punctuation.length }];
}

interface Character {
  readonly char: string;
  readonly at: number;
  readonly length: number;
}

function* charactersOf(text: string): Generator<Character> {
  let at = 0;
  for (const original of text) {
    // A ligature is several letters, all at its place. Each is one UTF-16 unit, so that offsets stay aligned.
    for (const char of original.normalize('NFKC').toLowerCase())
      yield { char: char.length === 1 ? char : '\uFFFD', at, length: original.length };
    at += original.length;
  }
}

function compared<Item extends Character>(characters: readonly Item[]): Item[] {
  return characters.filter(({ char }) => COMPARED.test(char));
}

/** The whole quote, else the longest of its beginnings or ends that the page contains. */
function longestCommon(page: string, quote: string): { start: number; end: number } | null {
  if (quote === '') return null;
  const whole = page.indexOf(quote);
  if (whole >= 0) return { start: whole, end: whole + quote.length };
  const head = longestThat(quote.length, (length) => page.includes(quote.slice(0, length)));
  const tail = longestThat(quote.length, (length) => page.includes(quote.slice(-length)));
  if (Math.max(head, tail) < Math.min(MIN_COMMON, quote.length)) return null;
  const common = head >= tail ? quote.slice(0, head) : quote.slice(-tail);
  const start = page.indexOf(common);
  return { start, end: start + common.length };
}

/** The greatest length with a property that all smaller lengths have, too. */
function longestThat(maximum: number, holds: (length: number) => boolean): number {
  let [low, high] = [0, maximum];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
