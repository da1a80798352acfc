import type { Line } from './pdf-lines.js';

/** A page that waits for its neighbours. */
export interface PageLines {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Remarks that stand beside the page's text, which nothing is taken out of. */
  readonly comments: readonly string[];
}

export interface CleanPage extends PageLines {
  /** Running headers, footers and page numbers that were taken out of `lines`, from the top. */
  readonly running: readonly string[];
}

/** A line at the top or bottom of a page, and by what it can be known again on other pages. */
interface EdgeLine {
  readonly index: number;
  /** Where it stands; the outermost lines of a page are at depth 0. */
  readonly place: string;
  readonly depth: number;
  readonly keys: readonly string[];
}

interface SeenPage extends PageLines {
  readonly edges: readonly EdgeLine[];
}

/** On each side of a page so many others are looked at. */
const REACH_PAGES = 8;
const MAX_DEPTH = 3;
/** A line is a running one if it stands on so many pages within reach, its own included. */
const MIN_PAGES = 3;
/** A line whose words differ from page to page and whose number counts them: footnotes do that for a few pages too. */
const MIN_COUNTING_PAGES = 6;
/** Lines below an outermost one, and lines at the place of running ones: on this share of the pages within reach. */
const MIN_SHARE = 0.5;

/**
 * Finds running headers, footers and page numbers: lines at the edge of pages that come again at the same place on
 * neighbouring pages, with the same words (digits apart) or with a number that counts the pages. Pages wait until
 * those after them are known, so no more than {@link REACH_PAGES} pages are held back.
 */
export class RunningLines {
  private seen: SeenPage[] = [];
  private next = 0;

  /** @returns the pages that are settled by this one */
  *add(page: PageLines): Generator<CleanPage> {
    this.seen.push({ ...page, edges: edgesOf(page) });
    if (this.seen.length - this.next > REACH_PAGES) yield this.settle();
  }

  /** @returns the pages that still waited */
  *finish(): Generator<CleanPage> {
    while (this.next < this.seen.length) yield this.settle();
  }

  private settle(): CleanPage {
    const page = this.seen[this.next];
    if (page === undefined) throw new RangeError('no page waits');
    const others = this.seen.filter(
      (other) => other !== page && Math.abs(other.number - page.number) <= REACH_PAGES,
    );
    const running = new Set<number>();
    for (const edge of page.edges) {
      const isOuter =
        edge.depth === 0 ||
        page.edges.some((outer) => running.has(outer.index) && isJustOutside(outer, edge));
      if (isOuter && isRunning(edge, others)) running.add(edge.index);
    }
    this.next += 1;
    if (this.next > REACH_PAGES) {
      this.seen.shift();
      this.next -= 1;
    }
    const { number, lines, comments } = page;
    if (running.size === 0) return { number, lines, comments, running: [] };
    return {
      number,
      comments,
      lines: lines.filter((_, index) => !running.has(index)),
      running: lines.filter((_, index) => running.has(index)).map((line) => line.text),
    };
  }
}

function isRunning(edge: EdgeLine, others: readonly SeenPage[]): boolean {
  const here = others.flatMap((other) => other.edges.filter(({ place }) => place === edge.place));
  // Two pages with the same line are all the evidence that a file of two or three pages can give.
  const minPages = others.length < MIN_PAGES ? 2 : MIN_PAGES;
  const isRepeated = edge.keys.some((key) => {
    const pages = 1 + here.filter((other) => other.keys.includes(key)).length;
    if (edge.depth > 0) return pages >= Math.max(minPages, (others.length + 1) * MIN_SHARE);
    return pages >= (key.startsWith(COUNTING) ? MIN_COUNTING_PAGES : minPages);
  });
  if (isRepeated) return true;
  // The header of a chapter of one or two pages: at the place where the neighbours have theirs.
  if (edge.depth > 0 || !edge.place.startsWith('top') || here.length < others.length * MIN_SHARE)
    return false;
  const counts = new Map<string, number>();
  for (const key of here.flatMap((other) => other.keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const running = here.filter((other) => other.keys.some((key) => (counts.get(key) ?? 0) >= MIN_PAGES));
  return running.length >= MIN_PAGES && running.length >= here.length * MIN_SHARE;
}

function edgesOf({ number, lines }: PageLines): EdgeLine[] {
  const order = lines.map((_, index) => index).sort((one, other) => yOf(lines, other) - yOf(lines, one));
  const edges: EdgeLine[] = [];
  for (const [band, indices] of [
    ['top', order],
    ['bottom', order.toReversed()],
  ] as const) {
    let depth = -1;
    let y = NaN;
    for (const index of indices) {
      const line = lines[index];
      if (line === undefined) break;
      // What stands on one baseline is equally far out.
      if (!(Math.abs(line.y - y) < line.fontSize / 2)) depth += 1;
      y = line.y;
      if (depth >= MAX_DEPTH || edges.length >= MAX_EDGES) break;
      const place = `${band} ${Math.round(line.y / 3)} ${Math.round(line.fontSize)}`;
      edges.push({ index, depth, place, keys: keysOf(line, number) });
    }
  }
  return edges;
}

const MAX_EDGES = 24;

function isJustOutside(outer: EdgeLine, edge: EdgeLine): boolean {
  return outer.depth === edge.depth - 1 && outer.place.split(' ')[0] === edge.place.split(' ')[0];
}

/** Its words without digits; and, of a number that it is or has at either end, how far that is from counting the pages. */
function keysOf({ text }: Line, page: number): string[] {
  const keys: string[] = [];
  if (text.length > MAX_CHARACTERS) return keys;
  const words = text.toLowerCase().replace(/\d+/g, '#');
  const hasWords = /\p{L}{2}/u.test(words);
  const roman = /^\W{0,3}([ivxlc]{1,8})\W{0,3}$/i.exec(text)?.[1];
  if (roman !== undefined) keys.push(`roman ${romanValue(roman) - page}`);
  else if (hasWords) keys.push(words);
  for (const found of [/^\W{0,3}(\d{1,5})\b/, /\b(\d{1,5})\W{0,3}$/]) {
    const value = found.exec(text)?.[1];
    if (value !== undefined) keys.push(`${hasWords ? COUNTING : 'page'} ${Number(value) - page}`);
  }
  return keys;
}

const COUNTING = 'counting';
const MAX_CHARACTERS = 200;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanValue(numeral: string): number {
  const values = [...numeral.toLowerCase()].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

function yOf(lines: readonly Line[], index: number): number {
  return lines[index]?.y ?? 0;
}
