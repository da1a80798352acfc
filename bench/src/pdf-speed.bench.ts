// Measures the speed of the PDF parser and compares it with bare text extraction by the same engine (pdf.js).
// Each file is read by both in turn, for several rounds; the best time counts. Memory is the peak resident
// size so far.
//
//   node dist/pdf-speed.bench.js <file.pdf ...> [--rounds 3]
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { extractBareText } from './parsing/bare-pdf-text.js';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
if (files.length === 0) {
  console.error('usage: pdf-speed.bench.js <file.pdf ...> [--rounds 3]');
  process.exit(2);
}

const rows: Record<string, Record<string, number>> = {};
let totals = { pages: 0, bareMs: 0, oursMs: 0 };
for (const file of files) {
  const bytes = readFileSync(file);
  // pdf.js transfers the buffer that it is given, so each reading needs a copy.
  const copy = (): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
  let pages = 0;
  const ours = async (): Promise<void> => {
    pages = (await parseDocument(copy(), { fileType: 'application/pdf' })).pageCount ?? 0;
  };
  const bare = async (): Promise<void> => void (await extractBareText(copy()));
  let [bareMs, oursMs] = [Infinity, Infinity];
  // Alternating, so that a change of the machine's speed affects both. Round 0 is the warm-up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const times = [await timeOf(bare), await timeOf(ours)];
    if (round === 0) continue;
    bareMs = Math.min(bareMs, times[0] ?? Infinity);
    oursMs = Math.min(oursMs, times[1] ?? Infinity);
  }
  totals = { pages: totals.pages + pages, bareMs: totals.bareMs + bareMs, oursMs: totals.oursMs + oursMs };
  rows[basename(file)] = row(pages, bareMs, oursMs);
}
if (files.length > 1) rows['all'] = row(totals.pages, totals.bareMs, totals.oursMs);
console.table(rows);

function row(pages: number, bareMs: number, oursMs: number): Record<string, number> {
  return {
    pages,
    'bare pages/s': Math.round((pages / bareMs) * 1000),
    'ours pages/s': Math.round((pages / oursMs) * 1000),
    'of bare': Number((bareMs / oursMs).toFixed(2)),
    // Node reports kilobytes on every platform.
    'peak MB': Math.round(process.resourceUsage().maxRSS / 1000),
  };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
