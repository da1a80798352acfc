import type { CellContent } from '../document/document.js';

/** The cells of further ranges are not filled. */
const MAX_RANGES = 100_000;
// Larger ranges are backgrounds and titles, not names of rows. They are not filled.
const MAX_COLUMNS = 64;
const MAX_ROWS = 10_000;
const REFERENCE = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/i;

// The tag has no alternative notation, so a search finds it without parsing the XML.
const MERGE = /<(?:\w+:)?mergeCell\s([^<>]*)>/g;
const REF = /\bref\s*=\s*["']([^"']+)["']/;
const LONGEST_TAG = 200;

interface Range {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The merged cells of a sheet (ECMA-376 18.3.1.55). In a file of Excel they follow the rows, so the sheet is
 * searched for them before its rows are read.
 */
export class MergedRanges {
  /** Ranges by their first row. Rows count from 1 as in the file, columns from 0. */
  private readonly byTop = new Map<number, Range[]>();
  /** The last range with text by column. Ranges of a valid file do not overlap. */
  private readonly open = new Map<number, { readonly range: Range; readonly text: string }>();
  private ranges = 0;

  /** @param xml the whole sheet, in pieces; only the tags of merged cells are parsed */
  static async read(xml: AsyncIterable<string>): Promise<MergedRanges> {
    const merged = new MergedRanges();
    let tail = '';
    for await (const piece of xml) {
      tail += piece;
      for (const [, attributes = ''] of tail.matchAll(MERGE)) {
        const range = rangeOf(REF.exec(attributes)?.[1]);
        if (range !== null) merged.add(range);
      }
      tail = tail.slice(Math.max(tail.lastIndexOf('<'), tail.length - LONGEST_TAG));
    }
    return merged;
  }

  /** Adds a range before its first row is filled. Ranges that are no names of rows or columns are ignored. */
  add(range: Range): void {
    const isSmall = range.right - range.left < MAX_COLUMNS && range.bottom - range.top < MAX_ROWS;
    if (!isSmall || range.right < range.left || this.ranges >= MAX_RANGES) return;
    this.ranges += 1;
    const sameTop = this.byTop.get(range.top) ?? [];
    sameTop.push(range);
    this.byTop.set(range.top, sameTop);
  }

  /** The columns of the cells that are merged with cells to their right, for a row. */
  groupsIn(row: number): readonly { readonly left: number; readonly right: number }[] {
    return (this.byTop.get(row) ?? []).filter(({ left, right }) => right > left);
  }

  /** Whether a cell is merged with the cell above. */
  continuesAbove(row: number, column: number): boolean {
    return (this.open.get(column)?.range.top ?? row) < row;
  }

  /**
   * Fills the merged cells of a row, in place. Call this for rows in order. A title (a single cell) is not
   * repeated.
   *
   * @param contents what the cells hold: null for those that are filled, so that no amount counts twice
   */
  fill(row: number, cells: string[], contents: CellContent[]): void {
    for (const [column, { range }] of this.open) if (range.bottom < row) this.open.delete(column);
    for (const range of this.byTop.get(row) ?? []) {
      const text = cells[range.left] ?? '';
      if (text.trim() === '') continue;
      for (let column = range.left; column <= range.right; column += 1)
        this.open.set(column, { range, text });
    }
    const isTitle = cells.filter((text) => (text ?? '').trim() !== '').length === 1;
    if (isTitle && [...this.open.values()].every(({ range }) => range.top === row)) return;
    for (const [column, { text, range }] of this.open) {
      cells[column] = text;
      if (range.top < row || range.left < column) contents[column] = null;
    }
  }
}

function rangeOf(reference: string | undefined): Range | null {
  const [, from, top, to, bottom] = REFERENCE.exec(reference ?? '') ?? [];
  if (from === undefined || top === undefined || to === undefined || bottom === undefined) return null;
  return { left: columnIndex(from), right: columnIndex(to), top: Number(top), bottom: Number(bottom) };
}

/** The column, from 0, of letters such as `AB`. */
export function columnIndex(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
