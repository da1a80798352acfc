// Writes random documents as PDF and reads them back: paragraphs, columns, lists, tables and forms in four scripts. The
// writers share no code with the reader: pdfkit, which draws in a random order, and Chromium's print, where cells have
// several lines. Prints the words that are missing, the order of words (Kendall's tau of the worst page), the cells that
// stand beside their label, and what was left out.
//
//   node dist/pdf-round-trip.bench.js [--documents 200] [--seed 1] [--worst 5] [--writer pdfkit|chromium]
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { parseDocument } from '@citewell/documents';
import { chromiumForTests } from '@citewell/testing';
import { type RandomDocument, randomDocument } from './parsing/random-document.js';
import { RoundTripReport } from './parsing/round-trip-report.js';
import { writeWithChromium } from './parsing/write-with-chromium.js';
import { writeWithPdfkit } from './parsing/write-with-pdfkit.js';

type Write = (document: RandomDocument, seed: number) => Promise<Uint8Array<ArrayBuffer>>;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
    writer: { type: 'string' },
  },
});

const report = new RoundTripReport();
if (values.writer !== 'chromium') await roundTrip('pdfkit', writeWithPdfkit);
if (values.writer !== 'pdfkit') await roundTripInChromium();
report.print(Number(values.worst));

async function roundTrip(name: string, write: Write): Promise<void> {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.documents); seed += 1) {
    const document = randomDocument(seed);
    const read = await parseDocument(await write(document, seed), { fileType: 'application/pdf' });
    report.add(`${name}, ${document.script}`, seed, { document, read });
  }
}

async function roundTripInChromium(): Promise<void> {
  const executablePath = await chromiumForTests();
  if (executablePath === null) throw new Error('The writer chromium needs Chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await roundTrip('Chromium', (document, seed) => writeWithChromium(browser, document, seed));
  } finally {
    await browser.close();
  }
}
