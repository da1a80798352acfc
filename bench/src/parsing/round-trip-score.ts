import { type RandomDocument, wordsIn } from './random-document.js';

export interface RoundTripScore {
  readonly words: number;
  readonly missing: readonly string[];
  /** Kendall's tau of the order of words, of the worst page. */
  readonly tau: number;
  /** Cells of tables and forms that are in the same line as the first cell of their row. */
  readonly cells: number;
  readonly cellsBeside: number;
}

/** Compares the text that was read with the document that was written. */
export function scoreRoundTrip({ head, pages }: RandomDocument, text: string): RoundTripScore {
  const positions = new Map<string, number>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu))
    if (!positions.has(word)) positions.set(word, index);
  const words = [...head, ...pages.flatMap(({ sections }) => sections.flatMap(wordsIn))];
  const taus = pages.map(({ sections }) =>
    kendallsTau(sections.flatMap(wordsIn).flatMap((word) => positions.get(word) ?? [])),
  );
  let cells = 0;
  let cellsBeside = 0;
  for (const { sections } of pages) {
    for (const section of sections) {
      if (section.kind !== 'table' && section.kind !== 'form') continue;
      for (const [label = '', ...values] of section.rows) {
        for (const value of values) {
          cells += 1;
          const [from, to] = [positions.get(firstWord(label)), positions.get(firstWord(value))];
          const isBeside =
            from !== undefined && to !== undefined && from < to && !text.slice(from, to).includes('\n');
          if (isBeside) cellsBeside += 1;
        }
      }
    }
  }
  const missing = words.filter((word) => !positions.has(word));
  return { words: words.length, missing, tau: Math.min(1, ...taus), cells, cellsBeside };
}

/** 1 for values in ascending order, -1 for the reverse (Kendall 1938); 1 for fewer than two values. */
export function kendallsTau(values: readonly number[]): number {
  let balance = 0;
  for (const [index, value] of values.entries())
    for (let other = index + 1; other < values.length; other += 1)
      balance += Math.sign((values[other] ?? 0) - value);
  const pairs = (values.length * (values.length - 1)) / 2;
  return pairs === 0 ? 1 : balance / pairs;
}

function firstWord(cell: string): string {
  return cell.split(' ')[0] ?? '';
}
