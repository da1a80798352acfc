import type { Document } from '@citewell/documents';
import type { RandomDocument } from './random-document.js';
import { type RoundTripScore, scoreRoundTrip } from './round-trip-score.js';

/** Pages with a lower Kendall's tau are out of order. */
const MIN_TAU = 0.98;

interface Entry extends RoundTripScore {
  readonly group: string;
  readonly seed: number;
}

/** Collects the scores of documents that were written and read back, and prints them by group. */
export class RoundTripReport {
  private readonly entries: Entry[] = [];
  private readonly leftOut: Record<string, number> = {};

  add(
    group: string,
    seed: number,
    { document, read }: { document: RandomDocument; read: Pick<Document, 'text' | 'leftOut'> },
  ): void {
    for (const [reason, characters] of Object.entries(read.leftOut)) {
      const key = `${group}: ${reason}`;
      this.leftOut[key] = (this.leftOut[key] ?? 0) + characters;
    }
    this.entries.push({ ...scoreRoundTrip(document, read.text), group, seed });
  }

  /** @param worst number of documents that are listed, those with the lowest tau first */
  print(worst: number): void {
    const groups = Map.groupBy(this.entries, ({ group }) => group);
    console.table(Object.fromEntries([...groups].map(([group, entries]) => [group, summaryOf(entries)])));
    console.log('characters left out:', this.leftOut);
    const listed = this.entries.toSorted(
      (one, other) => one.tau - other.tau || one.cellsBeside - one.cells - other.cellsBeside + other.cells,
    );
    console.table(
      listed.slice(0, worst).map(({ group, seed, tau, missing, cells, cellsBeside }) => ({
        group,
        seed,
        tau: Number(tau.toFixed(3)),
        'cells apart': cells - cellsBeside,
        missing: missing.slice(0, 5).join(' '),
      })),
    );
  }
}

function summaryOf(entries: readonly Entry[]): Record<string, number> {
  const sum = (value: (entry: Entry) => number): number =>
    entries.reduce((total, entry) => total + value(entry), 0);
  const cells = sum((entry) => entry.cells);
  return {
    documents: entries.length,
    words: sum((entry) => entry.words),
    missing: sum((entry) => entry.missing.length),
    'lowest tau': Number(Math.min(1, ...entries.map(({ tau }) => tau)).toFixed(3)),
    'in order': entries.filter(({ tau }) => tau >= MIN_TAU).length,
    cells,
    'beside the label': Number((sum((entry) => entry.cellsBeside) / Math.max(1, cells)).toFixed(4)),
  };
}
