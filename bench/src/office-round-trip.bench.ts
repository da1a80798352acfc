// Writes random documents as Word, Excel and PowerPoint files and reads them back: paragraphs, columns, lists, tables and
// forms in four scripts; shapes of slides in a random order. Prints the words that are missing, the order of words
// (Kendall's tau of the worst page), the cells that stand beside their label, and what was left out. The writers (docx,
// exceljs, pptxgenjs) share no code with the reader.
//
//   node dist/office-round-trip.bench.js [--documents 100] [--seed 1] [--worst 5]
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { OFFICE_WRITERS } from './parsing/office-writers.js';
import { randomDocument } from './parsing/random-document.js';
import { RoundTripReport } from './parsing/round-trip-report.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
  },
});

const first = Number(values.seed);
const report = new RoundTripReport();
for (const { name, fileType, write } of OFFICE_WRITERS) {
  for (let seed = first; seed < first + Number(values.documents); seed += 1) {
    const document = randomDocument(seed);
    const read = await parseDocument(await write(document, seed), { fileType });
    report.add(name, seed, { document, read });
  }
}
report.print(Number(values.worst));
