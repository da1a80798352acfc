import type { CellContent } from './document.js';

const NOTHING = 0;
const NUMBER = 1;
const TEXT = 2;
const COVERED = 3;

/** The contents of many rows, outside of the heap: a sheet has millions of cells. */
export class RowContents {
  private values = new Float64Array(64);
  private kinds = new Uint8Array(64);
  /** Where each row ends. */
  private readonly ends: number[] = [];
  private length = 0;
  /** Different texts: most days occur often. */
  private readonly texts: string[] = [];
  private readonly textIndices = new Map<string, number>();
  isEmpty = true;

  add(contents: readonly CellContent[] = []): void {
    this.reserve(contents.length);
    for (let column = 0; column < contents.length; column += 1) {
      const content = contents[column];
      const at = this.length + column;
      if (content === undefined) continue;
      this.isEmpty = false;
      this.kinds[at] = content === null ? COVERED : typeof content === 'number' ? NUMBER : TEXT;
      if (content !== null) this.values[at] = typeof content === 'number' ? content : this.indexOf(content);
    }
    this.length += contents.length;
    this.ends.push(this.length);
  }

  at(row: number): readonly CellContent[] | undefined {
    const end = this.ends[row];
    if (end === undefined) return undefined;
    const start = this.ends[row - 1] ?? 0;
    return Array.from({ length: end - start }, (_, column) => this.contentAt(start + column));
  }

  private contentAt(at: number): CellContent {
    const [kind, value] = [this.kinds[at] ?? NOTHING, this.values[at] ?? 0];
    if (kind === NOTHING) return undefined;
    if (kind === COVERED) return null;
    return kind === NUMBER ? value : this.texts[value];
  }

  private indexOf(text: string): number {
    const known = this.textIndices.get(text);
    if (known !== undefined) return known;
    this.textIndices.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.kinds.length) return;
    const size = Math.max(this.kinds.length * 2, this.length + count);
    const [values, kinds] = [new Float64Array(size), new Uint8Array(size)];
    values.set(this.values);
    kinds.set(this.kinds);
    [this.values, this.kinds] = [values, kinds];
  }
}
