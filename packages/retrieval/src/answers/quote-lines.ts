import { cellsOf, escapeMarkdown, markdownTable } from './markdown-table.js';
import { isRow } from './passage-units.js';

interface QuoteLine {
  /** Of the citation. */
  readonly number: number;
  readonly passage: { readonly documentName?: string; readonly text?: string };
  /** Lines above the quote that name its subject. */
  readonly lead: readonly string[];
  readonly text: string;
}

/** Of a table whose header alone is quoted. */
const ROWS_BELOW_HEADER = 3;
/** Stands for text that is left out above a quote. */
const ELLIPSIS = '…';

/** Quotes in quotation marks, with the lines that name their subject, and their citations. Rows of one table are drawn as one. */
export function quoteLines(quotes: readonly QuoteLine[]): string[] {
  const lines: string[] = [];
  const tables = new Map<string, { at: number; title: string; rows: string[]; numbers: number[] }>();
  for (const { lead, text, number, passage } of quotes) {
    if (!isTable(text)) {
      lines.push(`“${[...lead, text].join('\n')}” [${number}]`);
      continue;
    }
    const title = lead.find((line) => !isRow(line) && line !== ELLIPSIS) ?? passage.documentName ?? '';
    const head = lead.findLast(isRow);
    const quoted = text.split('\n').map((row) => row.trim());
    const rows = head === undefined && quoted.length === 1 ? withRowsBelow(quoted, passage.text) : quoted;
    const key = `${title}\n${head ?? rows[0]}`;
    const table = tables.get(key) ?? {
      at: lines.length,
      title,
      rows: head === undefined ? [] : [head],
      numbers: [],
    };
    if (!tables.has(key)) lines.push('');
    tables.set(key, table);
    table.rows.push(...rows.filter((row) => !table.rows.includes(row)));
    if (!table.numbers.includes(number)) table.numbers.push(number);
  }
  for (const { at, title, rows, numbers } of tables.values()) {
    const [header = [], ...body] = rows.map(cellsOf);
    const citations = numbers.map((number) => `[${number}]`).join('');
    lines[at] = `${[escapeMarkdown(title), citations].join(' ').trim()}\n\n${markdownTable(header, body)}`;
  }
  return lines;
}

/** A quoted row that may be a header, with rows below: a header alone says nothing. */
function withRowsBelow(quoted: readonly string[], text = ''): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const at = lines.indexOf(quoted[0] ?? '');
  const isAlone = at < 0 || !isRow(lines[at + 1] ?? '') || isRow(lines[at - 1] ?? '');
  return isAlone ? [...quoted] : lines.slice(at, at + 1 + ROWS_BELOW_HEADER).filter(isRow);
}

/** Whether a quote consists of rows of a table. */
export function isTable(text: string): boolean {
  return text !== '' && text.split('\n').every(isRow);
}
