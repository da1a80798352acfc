import type { SourceRow, TableDocument } from './table-source.js';

/** The elements of an array in a JSON file. */
export interface RecordList {
  /** Path of the array, such as `users`; empty for the lines of a JSON Lines file. */
  readonly path: string;
  /** The first row has the names. */
  readonly rows: readonly SourceRow[];
}

interface OpenRecord {
  readonly values: Map<string, string>;
  readonly from: number;
  to: number;
}

/** The first index in a path, as in `users[3].address.city: Rome`, and the name of the value. */
const LINE = /^([^[\]:]{0,100})\[(\d{1,9})\]([^:]{1,200}): (.*)$/;
const MAX_COLUMNS = 100;
/** A value that fewer records have, such as the fifth element of a list, is no column. */
const MIN_SHARE = 0.05;

/** The lists of records in the text of a JSON file, in which each line is a value with its path. */
export function recordLists({ text, blocks }: TableDocument): RecordList[] {
  const lists = new Map<string, Map<string, OpenRecord>>();
  for (const { start, end } of blocks) {
    for (let from = start; from < end;) {
      const next = text.indexOf('\n', from);
      const to = next < 0 || next > end ? end : next;
      const [, path, index, name, value] = LINE.exec(text.slice(from, to)) ?? [];
      if (path !== undefined && index !== undefined && name !== undefined && value !== undefined)
        addValue(lists, { path, index, name: name.replace(/^\./, ''), value, from, to });
      from = to + 1;
    }
  }
  return [...lists].map(([path, records]) => ({ path, rows: rowsOf([...records.values()]) }));
}

function addValue(
  lists: Map<string, Map<string, OpenRecord>>,
  {
    path,
    index,
    name,
    value,
    from,
    to,
  }: Record<'path' | 'index' | 'name' | 'value', string> & { from: number; to: number },
): void {
  const records = lists.get(path) ?? new Map<string, OpenRecord>();
  lists.set(path, records);
  const record = records.get(index) ?? { values: new Map<string, string>(), from, to };
  records.set(index, record);
  record.values.set(name, value === 'null' ? '' : value);
  record.to = to;
}

function rowsOf(records: readonly OpenRecord[]): SourceRow[] {
  const counts = new Map<string, number>();
  for (const { values } of records)
    for (const name of values.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts]
    .filter(([, count]) => count >= records.length * MIN_SHARE)
    .slice(0, MAX_COLUMNS)
    .map(([name]) => name);
  const header = { cells: names, contents: undefined, from: 0, to: 0, number: 0 };
  return [
    header,
    ...records.map(({ values, from, to }, index) => ({
      cells: names.map((name) => values.get(name) ?? ''),
      contents: undefined,
      from,
      to,
      number: index + 1,
    })),
  ];
}
