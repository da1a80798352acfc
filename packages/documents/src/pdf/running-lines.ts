import type { Line } from './pdf-lines.js';
import { tablesIn } from './pdf-tables.js';

/** The lines of a page before running lines are removed. */
export interface PageLines {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Comments on the page, which are passed through. */
  readonly comments: readonly string[];
}

/** A page with its running lines apart from the others. */
export interface CleanPage extends PageLines {
  /** Running lines that occur here for the first time, at the top or the bottom of the page. */
  readonly first: { readonly top: readonly Line[]; readonly bottom: readonly Line[] };
  /** Running lines that are known from earlier pages. */
  readonly repeated: readonly string[];
}

/** A line at the top or bottom of a page. */
interface EdgeLine {
  readonly index: number;
  readonly band: 'top' | 'bottom';
  /** Position and font size, equal for a running line on all its pages. */
  readonly position: string;
  /** Number of lines between this line and the edge of the page. */
  readonly depth: number;
  /** Equal on pages where only the page number differs. The first one is the text of the line. */
  readonly keys: readonly string[];
  /** The keys of a page number beside other words, which needs more evidence. */
  readonly weakKeys: readonly string[];
  /** The words of the line without digits; null when it is nothing but a page number. */
  readonly words: string | null;
}

interface PageWithEdges extends PageLines {
  readonly edges: readonly EdgeLine[];
}

/** Number of pages before and after a page that are compared with it. */
const REACH_PAGES = 8;
const MAX_DEPTH = 3;
const MAX_EDGES = 24;
/** Minimum number of compared pages, including its own, on which a running line occurs. */
const MIN_PAGES = 3;
/** Minimum share of the compared pages for inner lines. */
const MIN_SHARE = 0.5;
const MAX_CHARACTERS = 200;
/** Limit of the known running lines of a file. Others are kept on every page. */
const MAX_KNOWN = 20_000;
/** A number with two decimals, as amounts have, and not a date. */
const AMOUNT = /^[^\p{L}\d]*(?!\d{1,2}\.\d{1,2}\.\d{2}$)\d[\d.,'\s]*[.,]\d{2}(?!\d)[^\d]{0,5}$/u;

/**
 * Finds running headers, footers and page numbers: lines at the edge of a page that repeat at the same position on
 * neighbouring pages and are equal, except for the number of the page. A line whose other digits differ from page
 * to page is content, and so are rows with an amount and the column names of a table. A running line is kept
 * where it first occurs. At most {@link REACH_PAGES} pages are buffered until the pages after them are known.
 */
export class RunningLines {
  private pages: PageWithEdges[] = [];
  private next = 0;
  private readonly known = new Set<string>();

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
    const running = new Map<number, EdgeLine>();
    for (const edge of page.edges) {
      const isOuter =
        edge.depth === 0 ||
        page.edges.some((outer) => running.has(outer.index) && isJustOutside(outer, edge));
      if (isOuter && isRunning(edge, others)) running.set(edge.index, edge);
    }
    if (running.size > 0) keepTables(page.lines, running);
    this.next += 1;
    if (this.next > REACH_PAGES) {
      this.pages.shift();
      this.next -= 1;
    }
    return this.withoutRepeated(page, running);
  }

  private withoutRepeated(
    { number, lines, comments }: PageLines,
    running: ReadonlyMap<number, EdgeLine>,
  ): CleanPage {
    const first: { top: Line[]; bottom: Line[] } = { top: [], bottom: [] };
    const repeated: string[] = [];
    const body: Line[] = [];
    for (const [index, line] of lines.entries()) {
      const edge = running.get(index);
      if (edge === undefined) body.push(line);
      else if ([...edge.keys, ...edge.weakKeys].some((key) => this.known.has(key))) repeated.push(line.text);
      else first[edge.band].push(line);
    }
    // A page without other text keeps its lines.
    if (body.length === 0) return { number, comments, lines, first: { top: [], bottom: [] }, repeated: [] };
    for (const { keys, weakKeys } of running.values())
      if (this.known.size < MAX_KNOWN) for (const key of [...keys, ...weakKeys]) this.known.add(key);
    return { number, comments, lines: body, first, repeated };
  }
}

function isRunning(edge: EdgeLine, others: readonly PageWithEdges[]): boolean {
  const samePosition = others.flatMap((other) =>
    other.edges.filter(({ position }) => position === edge.position),
  );
  const isSame = (other: EdgeLine): boolean =>
    edge.keys.some((key) => other.keys.includes(key)) ||
    edge.weakKeys.some((key) => other.weakKeys.includes(key));
  const isOtherValue = (other: EdgeLine): boolean =>
    edge.words !== null && other.words === edge.words && !isSame(other);
  if (samePosition.some(isOtherValue)) return false;
  // In a file of two or three pages, two pages must be sufficient evidence.
  const minPages = others.length < MIN_PAGES ? 2 : MIN_PAGES;
  const required = edge.depth > 0 ? Math.max(minPages, (others.length + 1) * MIN_SHARE) : minPages;
  const pagesWith = (keys: readonly string[], keysOf: (other: EdgeLine) => readonly string[]): number =>
    Math.max(0, ...keys.map((key) => 1 + samePosition.filter((other) => keysOf(other).includes(key)).length));
  return (
    pagesWith(edge.keys, (other) => other.keys) >= required ||
    pagesWith(edge.weakKeys, (other) => other.weakKeys) >= Math.max(required, MIN_PAGES)
  );
}

/** Keeps the rows of a table of which other rows are content: its column names and the rows at its end. */
function keepTables(lines: readonly Line[], running: Map<number, EdgeLine>): void {
  for (const [begin, { end }] of tablesIn(lines)) {
    const rows = Array.from({ length: end - begin }, (_, row) => begin + row);
    if (rows.some((row) => !running.has(row))) for (const row of rows) running.delete(row);
  }
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
      edges.push({ index, band, depth, position, ...keysOf(line, number) });
    }
  }
  return edges;
}

function isJustOutside(outer: EdgeLine, edge: EdgeLine): boolean {
  return outer.depth === edge.depth - 1 && outer.band === edge.band;
}

function keysOf(line: Line, page: number): Pick<EdgeLine, 'keys' | 'weakKeys' | 'words'> {
  const { text, cells } = line;
  if (text.length > MAX_CHARACTERS || cells.some((cell) => AMOUNT.test(cell.text)))
    return { keys: [], weakKeys: [], words: null };
  const numbers = pageNumbersIn(line, page);
  const isAlone = numbers.some((number) => number.isAlone);
  const keys = numbers.map(({ key }) => key);
  // A text without letters, such as a rule of dashes, identifies nothing.
  const ownKeys = /[\p{L}\p{N}]/u.test(text) ? [text] : [];
  return {
    keys: isAlone ? [...ownKeys, ...keys] : ownKeys,
    weakKeys: isAlone ? [] : keys,
    words: isAlone ? null : asciiDigits(text).replace(/\d+/g, '#'),
  };
}

function yOf(lines: readonly Line[], index: number): number {
  return lines[index]?.y ?? 0;
}

/** Words beside page numbers, in lower case. A line with other words has its number in a cell of its own. */
const PAGE_WORDS: ReadonlySet<string> = new Set(
  (
    'page pages pg p pp slide sheet of seite seiten s folie blatt bl von aus feuille sur de du página pag pág pagina ' +
    'diapositiva di van bladzijde blz side sida sivu af av strona str strana stránka z ze oldal sayfa trang hal ' +
    'halaman dari pagină din страница стр с из лист сторінка з σελίδα σελ από עמוד מתוך صفحة ص من صفحه از ' +
    '第 页 頁 共 ページ 쪽 페이지 หน้า पृष्ठ'
  ).split(' '),
);
const WORD = /[\p{Script=Han}]|[\p{Script=Katakana}ー]+|[\p{L}\p{M}]+/gu;
const MAX_DIGITS = 4;
const MAX_OFFSET = 1000;
/** The end of the label of a value: `Invoice no.`, `Number:`, `Step #`. */
const LABEL_END = /(?:[:#№º°]|(?:^|[^\p{L}])(?:no|nr|num|id)\.?)\s*$/iu;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** A line whose page number is replaced by its distance from the number of the page. */
interface NumberedLine {
  /** Equal on all pages on which only the page number differs. */
  readonly key: string;
  /** Whether the line has nothing but a page number: `- 7 -`, `Page 3 of 10`. */
  readonly isAlone: boolean;
}

/**
 * Where the page number may be in a line: in a line without other words, or in a cell of its own at either end of
 * the line. A number after other words, such as `Step 3` or `Payslip 03/2024`, is content.
 */
function pageNumbersIn({ text, cells }: Line, page: number): NumberedLine[] {
  const line = asciiDigits(text);
  const roman = /^\W{0,3}([ivxlc]{1,8})\W{0,3}$/i.exec(line)?.[1];
  if (roman !== undefined) return [{ key: `roman ${romanValue(roman) - page}`, isAlone: true }];
  const words = line.toLowerCase().match(WORD) ?? [];
  const isAlone = words.every((word) => PAGE_WORDS.has(word));
  const found = isAlone
    ? [...line.matchAll(/\d+/g)]
    : numbersApart(
        line,
        cells.map(({ text: cell }) => asciiDigits(cell)),
      );
  return found.flatMap(({ 0: digits, index }) => {
    const offset = Number(digits) - page;
    if (digits.length > MAX_DIGITS || digits.startsWith('0') || Math.abs(offset) > MAX_OFFSET) return [];
    return [{ key: `${line.slice(0, index)}#${offset}#${line.slice(index + digits.length)}`, isAlone }];
  });
}

/** Code points of the digit zero in scripts with digits of their own. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10];

/** Arabic, Persian, Indic, Thai and full-width digits as ASCII digits. */
function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}\d]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** The numbers that are alone in the first or last cell. A bar or a dot divides cells, too. */
function numbersApart(line: string, cells: readonly string[]): RegExpExecArray[] {
  const parts = cells.flatMap((cell) => cell.split(/[|•·]/));
  if (parts.length < 2) return [];
  const isNumber = (part = ''): boolean => /^\W{0,3}\d+\W{0,3}$/.test(part);
  const numbers = [...line.matchAll(/\d+/g)];
  const first = isNumber(parts[0]) ? numbers.at(0) : undefined;
  const last = isNumber(parts.at(-1)) && !LABEL_END.test(parts.at(-2) ?? '') ? numbers.at(-1) : undefined;
  return [first, last].filter((number) => number !== undefined);
}

function romanValue(numeral: string): number {
  const values = [...numeral.toLowerCase()].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
