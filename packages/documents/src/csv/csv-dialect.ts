const DELIMITERS = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof DELIMITERS)[number];

const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_RECORDS = 100;

/**
 * Detects the delimiter from the first 100 records: the one that gives the largest share of records with the
 * most frequent number of fields, if that number is above one. Ties are won by more fields. A comma when the
 * file has one column.
 */
export function detectDelimiter(text: string): Delimiter {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let best: { delimiter: Delimiter; share: number; fields: number } = { delimiter: ',', share: 0, fields: 1 };
  for (const delimiter of DELIMITERS) {
    const counts = fieldCounts(sample, delimiter);
    const { fields, share } = mostFrequent(counts);
    if (fields > 1 && (share > best.share || (share === best.share && fields > best.fields))) {
      best = { delimiter, share, fields };
    }
  }
  return best.delimiter;
}

/**
 * The first line `sep=;`, which names the delimiter to Excel and is not part of the table.
 *
 * @returns the delimiter, if the line has one, and the offset of the next line; null when there is no such line
 */
export function separatorLine(
  text: string,
): { readonly delimiter: string | undefined; readonly end: number } | null {
  const line = /^\ufeff?[ \t]*("?)sep=([^\r\n"\w])?\1[ \t,;]*(?:\r\n?|\n|$)/i.exec(text);
  return line === null ? null : { delimiter: line[2], end: line[0].length };
}

/**
 * The rows above the header that do not belong to the table, such as the title and the date of a report: each has
 * at most half as many cells with text as the table has columns.
 *
 * @param head the first rows of the file
 */
export function linesAboveTable(head: readonly string[][]): readonly string[][] {
  const counts = head.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const { fields } = mostFrequent(counts);
  const first = counts.findIndex((count) => count >= fields);
  const above = counts.slice(0, Math.max(0, first));
  const header = head[first];
  const isTable = fields > 1 && header !== undefined && isHeaderRow(header) && counts.length > first + 1;
  return isTable && above.every((count) => count <= Math.max(1, fields / 2)) ? head.slice(0, first) : [];
}

/** Whether all cells can be column names: not empty, distinct, and neither numbers nor dates. */
export function isHeaderRow(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === '') names.pop();
  if (names.length === 0 || new Set(names).size !== names.length) return false;
  return names.every((name) => name !== '' && !/^[\d\s.,:/%€$£+-]+$/.test(name));
}

/** The number of fields of each record, with quoting. A last record that the sample cuts is not counted. */
function fieldCounts(sample: string, delimiter: Delimiter): number[] {
  const counts: number[] = [];
  let fields = 1;
  let isQuoted = false;
  let isFieldStart = true;
  let isBlank = true;
  for (const character of sample) {
    if (character === '"' && (isQuoted || isFieldStart)) isQuoted = !isQuoted;
    isFieldStart = false;
    if (isQuoted) {
      isBlank = false;
    } else if (character === '\n' || character === '\r') {
      if (!isBlank) counts.push(fields);
      if (counts.length === SAMPLE_RECORDS) return counts;
      fields = 1;
      isBlank = true;
      isFieldStart = true;
    } else {
      isBlank = false;
      if (character === delimiter) {
        fields += 1;
        isFieldStart = true;
      }
    }
  }
  if (!isBlank && (counts.length === 0 || sample.length < SAMPLE_CHARACTERS)) counts.push(fields);
  return counts;
}

function mostFrequent(counts: readonly number[]): { fields: number; share: number } {
  const tally = new Map<number, number>();
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1);
  let best = { fields: 1, times: 0 };
  for (const [fields, times] of tally) {
    // One field means that the delimiter does not occur: any other number is better evidence.
    if (fields > 1 && (times > best.times || best.fields === 1)) best = { fields, times };
  }
  return { fields: best.fields, share: counts.length === 0 ? 0 : best.times / counts.length };
}
