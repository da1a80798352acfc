/** Further merges are left as they are: one cell with text, the others empty. */
const MAX_RANGES = 100_000;
/** Larger ones are backgrounds and titles, not names of rows. */
const MAX_COLUMNS = 64;
const MAX_ROWS = 10_000;
const REFERENCE = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/i;

/** Nothing between these tags is written in two ways, so they are found without reading the XML around them. */
const LIST = /<(?:\w+:)?mergeCells[\s>]/;
const MERGE = /<(?:\w+:)?mergeCell\s[^<>]*?\bref\s*=\s*["']([^"']+)["'][^<>]*>/g;
const LONGEST_TAG = 100;

interface Range {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The merged cells of a sheet (ECMA-376 18.3.1.55). They come after the rows, so the sheet is searched for them before
 * its rows are read.
 */
export class MergedRanges {
  /** Ranges by their first row; rows and columns as in the file and from 0. */
  private readonly byTop = new Map<number, Range[]>();
  private open: { range: Range; text: string }[] = [];

  private constructor(ranges: Iterable<Range>) {
    for (const range of ranges) {
      const others = this.byTop.get(range.top);
      if (others === undefined) this.byTop.set(range.top, [range]);
      else others.push(range);
    }
  }

  /** @param xml of the sheet; all of it is run through, and only the list of merges is read */
  static async read(xml: AsyncIterable<string>): Promise<MergedRanges> {
    const ranges: Range[] = [];
    let tail = '';
    let isInList = false;
    for await (const piece of xml) {
      tail += piece;
      if (!isInList) {
        const start = tail.search(LIST);
        isInList = start >= 0;
        tail = isInList ? tail.slice(start) : tail.slice(-LONGEST_TAG);
      }
      if (!isInList) continue;
      for (const [, reference] of tail.matchAll(MERGE)) {
        const range = rangeOf(reference);
        if (range !== null && ranges.length < MAX_RANGES) ranges.push(range);
      }
      tail = tail.slice(tail.lastIndexOf('<'));
    }
    return new MergedRanges(ranges);
  }

  /** Fills the cells of a row that merges cover; rows must come in order. A row that is one single cell stays so. */
  fill(row: number, cells: string[]): void {
    this.open = this.open.filter(({ range }) => range.bottom >= row);
    for (const range of this.byTop.get(row) ?? []) {
      const text = cells[range.left] ?? '';
      if (text.trim() !== '') this.open.push({ range, text });
    }
    const isTitle = cells.filter((text) => (text ?? '').trim() !== '').length === 1;
    if (isTitle && this.open.every(({ range }) => range.top === row)) return;
    for (const { range, text } of this.open) {
      for (let column = range.left; column <= range.right; column += 1) cells[column] = text;
    }
  }
}

function rangeOf(reference: string | undefined): Range | null {
  const [, from, top, to, bottom] = REFERENCE.exec(reference ?? '') ?? [];
  if (from === undefined || top === undefined || to === undefined || bottom === undefined) return null;
  const range = { left: columnIndex(from), right: columnIndex(to), top: Number(top), bottom: Number(bottom) };
  const isSmall = range.right - range.left < MAX_COLUMNS && range.bottom - range.top < MAX_ROWS;
  return isSmall && range.right >= range.left ? range : null;
}

/** Column of letters such as `AB`, from 0. */
export function columnIndex(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
