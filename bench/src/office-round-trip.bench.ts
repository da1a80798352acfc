// Writes random documents as Word, Excel and PowerPoint files and reads them back: paragraphs, columns, lists, tables and
// forms in four scripts; shapes of slides in a random order. Prints the words that are missing, the order of words
// (Kendall's tau of the worst page), the cells that stand beside their label, and what was left out. The writers (docx,
// exceljs, pptxgenjs) share no code with the reader.
//
//   node dist/office-round-trip.bench.js [--documents 100] [--seed 1]
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { OFFICE_WRITERS } from './parsing/office-writers.js';
import { randomDocument } from './parsing/random-document.js';
import { type RoundTripScore, scoreRoundTrip } from './parsing/round-trip-score.js';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const leftOut: Record<string, number> = {};
const rows: Record<string, Record<string, number>> = {};
for (const { name, fileType, write } of OFFICE_WRITERS) {
  const scores: RoundTripScore[] = [];
  for (let seed = Number(values.seed); scores.length < Number(values.documents); seed += 1) {
    const document = randomDocument(seed);
    const read = await parseDocument(await write(document, seed), { fileType });
    for (const [reason, characters] of Object.entries(read.leftOut))
      leftOut[`${name}: ${reason}`] = (leftOut[`${name}: ${reason}`] ?? 0) + characters;
    scores.push(scoreRoundTrip(document, read.text));
  }
  rows[name] = summary(scores);
}
console.table(rows);
console.log('characters left out:', leftOut);

function summary(all: readonly RoundTripScore[]): Record<string, number> {
  const sum = (value: (score: RoundTripScore) => number): number =>
    all.reduce((total, score) => total + value(score), 0);
  const cells = sum((score) => score.cells);
  return {
    documents: all.length,
    words: sum((score) => score.words),
    missing: sum((score) => score.missing.length),
    'lowest tau': Number(Math.min(1, ...all.map(({ tau }) => tau)).toFixed(3)),
    'in order': all.filter(({ tau }) => tau >= 0.98).length / Math.max(1, all.length),
    cells,
    'beside the label': Number((sum((score) => score.cellsBeside) / Math.max(1, cells)).toFixed(4)),
  };
}
