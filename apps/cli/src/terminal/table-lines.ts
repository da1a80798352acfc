import { toColumns } from './output.js';

const DELIMITER = /^[\s|:-]+$/;
/** A mark between cells, unless it is escaped. */
const MARK = /(?<!\\)\|/;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Draws the Markdown tables of a text that arrives in pieces as aligned columns. Other text passes at once. */
export class TableLines {
  /** The beginning of a line of a table. Null inside of a line of text. */
  private line: string | null = '';
  private rows: string[][] = [];

  /** @returns the text that can be shown now */
  push(text: string): string {
    return text
      .split(/(?<=\n)/)
      .map((part) => this.add(part))
      .join('');
  }

  /** @returns the rest of the text */
  flush(): string {
    const rest = this.line?.startsWith('|') ? this.add('\n') : '';
    return rest + this.drawn();
  }

  private add(part: string): string {
    if (part === '') return '';
    const line = this.line === null ? null : this.line + part;
    const isEnded = part.endsWith('\n');
    if (line?.startsWith('|')) {
      if (isEnded && !DELIMITER.test(line)) this.rows.push(cellsOf(line));
      this.line = isEnded ? '' : line;
      return '';
    }
    this.line = isEnded ? '' : null;
    return this.drawn() + part;
  }

  private drawn(): string {
    const { rows } = this;
    this.rows = [];
    return rows.length === 0 ? '' : `${toColumns(rows)}\n`;
  }
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(MARK);
  return cells.map((cell) => cell.trim().replace(ESCAPE, '$1'));
}
