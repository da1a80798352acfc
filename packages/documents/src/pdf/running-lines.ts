import type { Line } from './pdf-lines.js';

/** The lines of a page before running lines are removed. */
export interface PageLines {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Comments on the page, which are passed through. */
  readonly comments: readonly string[];
}

/** A page without its running lines. */
export interface CleanPage extends PageLines {
  /** Running headers, footers and page numbers that were removed from `lines`. */
  readonly running: readonly string[];
}

/** A line at the top or bottom of a page. */
interface EdgeLine {
  readonly index: number;
  /** Position and font size, equal for a running line on all its pages. */
  readonly position: string;
  /** Number of lines between this line and the edge of the page. */
  readonly depth: number;
  /** Keys that identify the line on other pages. */
  readonly keys: readonly string[];
}

interface PageWithEdges extends PageLines {
  readonly edges: readonly EdgeLine[];
}

/** Number of pages before and after a page that are compared with it. */
const REACH_PAGES = 8;
const MAX_DEPTH = 3;
/** Minimum number of compared pages, including its own, on which a running line occurs. */
const MIN_PAGES = 3;
/** The same for lines with varying words and a counting number, which footnotes also have on a few pages. */
const MIN_COUNTING_PAGES = 6;
/**
 * Minimum share of the compared pages for inner lines and for other lines at the position of running lines.
 */
const MIN_SHARE = 0.5;

/**
 * Finds and removes running headers, footers and page numbers: lines at the edge of a page that repeat at the
 * same position on neighbouring pages, with the same words except for digits, or with a number that counts
 * the pages. At most {@link REACH_PAGES} pages are buffered until the pages after them are known.
 */
export class RunningLines {
  private pages: PageWithEdges[] = [];
  private next = 0;

  /** Adds a page and yields the pages that can be completed now. */
  *add(page: PageLines): Generator<CleanPage> {
    this.pages.push({ ...page, edges: edgesOf(page) });
    if (this.pages.length - this.next > REACH_PAGES) yield this.cleanNextPage();
  }

  /** Yields the buffered pages. Call this after the last page. */
  *finish(): Generator<CleanPage> {
    while (this.next < this.pages.length) yield this.cleanNextPage();
  }

  private cleanNextPage(): CleanPage {
    const page = this.pages[this.next];
    if (page === undefined) throw new RangeError('no page is buffered');
    const others = this.pages.filter(
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
      this.pages.shift();
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

function isRunning(edge: EdgeLine, others: readonly PageWithEdges[]): boolean {
  const samePosition = others.flatMap((other) =>
    other.edges.filter(({ position }) => position === edge.position),
  );
  // In a file of two or three pages, two pages must be sufficient evidence.
  const minPages = others.length < MIN_PAGES ? 2 : MIN_PAGES;
  const isRepeated = edge.keys.some((key) => {
    const pages = 1 + samePosition.filter((other) => other.keys.includes(key)).length;
    if (edge.depth > 0) return pages >= Math.max(minPages, (others.length + 1) * MIN_SHARE);
    return pages >= (key.startsWith(COUNTING) ? MIN_COUNTING_PAGES : minPages);
  });
  if (isRepeated) return true;
  // The header of a chapter of one or two pages is at the position of the headers of its neighbours.
  if (edge.depth > 0 || !edge.position.startsWith('top') || samePosition.length < others.length * MIN_SHARE)
    return false;
  const counts = new Map<string, number>();
  for (const key of samePosition.flatMap((other) => other.keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const running = samePosition.filter((other) =>
    other.keys.some((key) => (counts.get(key) ?? 0) >= MIN_PAGES),
  );
  return running.length >= MIN_PAGES && running.length >= samePosition.length * MIN_SHARE;
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
      // Lines on the same baseline have the same depth.
      if (!(Math.abs(line.y - y) < line.fontSize / 2)) depth += 1;
      y = line.y;
      if (depth >= MAX_DEPTH || edges.length >= MAX_EDGES) break;
      const position = `${band} ${Math.round(line.y / 3)} ${Math.round(line.fontSize)}`;
      edges.push({ index, depth, position, keys: keysOf(line, number) });
    }
  }
  return edges;
}

const MAX_EDGES = 24;

function isJustOutside(outer: EdgeLine, edge: EdgeLine): boolean {
  return outer.depth === edge.depth - 1 && outer.position.split(' ')[0] === edge.position.split(' ')[0];
}

/**
 * Keys of a line: its words without digits, and the difference between a number at either end and the page
 * number.
 */
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
