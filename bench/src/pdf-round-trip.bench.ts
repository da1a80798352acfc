// Writes random documents as PDF and reads them back: paragraphs, columns, lists, tables and forms in four scripts, drawn
// in a random order. Prints the words that are missing, the order of words (Kendall's tau of the worst page), the cells
// that stand beside their label, and what was left out. The writer is pdfkit, which shares no code with the reader.
//
//   node dist/pdf-round-trip.bench.js [--documents 200] [--seed 1] [--worst 5]
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { randomDocument, SCRIPTS } from './parsing/random-document.js';
import { type RoundTripScore, scoreRoundTrip } from './parsing/round-trip-score.js';
import { writeWithPdfkit } from './parsing/write-with-pdfkit.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
  },
});

const scores: (RoundTripScore & { seed: number; script: string })[] = [];
const leftOut: Record<string, number> = {};
for (let seed = Number(values.seed); scores.length < Number(values.documents); seed += 1) {
  const document = randomDocument(seed);
  const file = await writeWithPdfkit(document, seed);
  const read = await parseDocument(file, { fileType: 'application/pdf' });
  for (const [reason, characters] of Object.entries(read.leftOut))
    leftOut[reason] = (leftOut[reason] ?? 0) + characters;
  scores.push({ ...scoreRoundTrip(document, read.text), seed, script: document.script });
}
console.table(
  Object.fromEntries(
    [...SCRIPTS, 'all'].map((script) => [
      script,
      summary(scores.filter((score) => script === 'all' || score.script === script)),
    ]),
  ),
);
console.log('characters left out:', leftOut);
const worst = scores.toSorted((one, other) => one.tau - other.tau).slice(0, Number(values.worst));
console.table(
  worst.map(({ seed, script, tau, missing, cells, cellsBeside }) => ({
    seed,
    script,
    tau: Number(tau.toFixed(3)),
    'cells apart': cells - cellsBeside,
    missing: missing.slice(0, 5).join(' '),
  })),
);

function summary(all: readonly RoundTripScore[]): Record<string, number> {
  const sum = (value: (score: RoundTripScore) => number): number =>
    all.reduce((total, score) => total + value(score), 0);
  const cells = sum((score) => score.cells);
  return {
    documents: all.length,
    words: sum((score) => score.words),
    missing: sum((score) => score.missing.length),
    'lowest tau': Number(Math.min(1, ...all.map(({ tau }) => tau)).toFixed(3)),
    'pages in order': all.filter(({ tau }) => tau >= 0.98).length / Math.max(1, all.length),
    cells,
    'beside the label': Number((sum((score) => score.cellsBeside) / Math.max(1, cells)).toFixed(4)),
  };
}
