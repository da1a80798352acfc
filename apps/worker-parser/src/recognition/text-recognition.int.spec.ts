// Runs the real Tesseract and poppler. The scanned PDF is made by rendering pages with text.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeDocument, type Progress } from '@citewell/documents';
import { buildPdf, drawPages, type PdfLine } from '@citewell/documents/test-files';
import { ParserSandbox } from '../sandbox/parser-sandbox.js';
import { TextRecognition } from './text-recognition.js';

const FIRST: PdfLine[] = [
  { text: 'The Harbour Office', y: 700, size: 26 },
  { text: 'Ships that arrive after midnight pay the night fee of', y: 650, size: 13 },
  { text: 'forty crowns and wait for the pilot at the outer buoy.', y: 634, size: 13 },
];
const SECOND: PdfLine[] = [{ text: 'The pilot speaks Norwegian and Dutch.', y: 700, size: 13 }];

describe('TextRecognition', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recognition-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Writes a PDF whose pages are images of the given pages. @param textPages real text pages before them */
  async function scan(
    pages: readonly (readonly PdfLine[])[],
    textPages: readonly PdfLine[][] = [],
  ): Promise<string> {
    const path = join(folder, 'scan.pdf');
    await writeFile(path, buildPdf([...textPages, ...drawPages(buildPdf(pages))]));
    return path;
  }

  async function parse(path: string, recognition: TextRecognition, progress: Progress[] = []) {
    const sandbox = new ParserSandbox({
      processes: 1,
      timeoutMs: 60_000,
      maxMemoryBytes: 500 * 1024 ** 2,
      maxOutputCharacters: 100_000,
      scratchDirectory: join(folder, 'scratch'),
      recognition,
    });
    try {
      const file = await sandbox.parse(
        { source: path, fileType: 'application/pdf', fileName: 'scan.pdf' },
        { onProgress: (now) => progress.push(now) },
      );
      return decodeDocument(file);
    } finally {
      await sandbox.close();
    }
  }

  const english = () => new TextRecognition({ tesseract: 'tesseract', languages: 'eng', parallel: 2 });

  it('recognizes image pages and keeps their page numbers', async () => {
    const progress: Progress[] = [];
    const { text, blocks } = await parse(await scan([FIRST, SECOND]), english(), progress);
    assert.match(text, /The Harbour Office/);
    assert.match(text, /pay the night fee of forty crowns and wait for the pilot/);
    const dutch = blocks.find(({ start, end }) => text.slice(start, end).includes('Dutch'));
    assert.deepEqual([dutch?.page, dutch?.headingPath], [2, ['The Harbour Office']]);
    assert.deepEqual(progress.at(-1), { done: 2, total: 2 });
  });

  it('recognizes image pages between text pages', async () => {
    const cover = (text: string): PdfLine[] => [{ text, y: 700 }];
    const path = await scan([SECOND], [cover('A cover.'), cover('Whom it is for.')]);
    const { text } = await parse(path, english());
    assert.match(text, /A cover\.\s+Whom it is for\.\s+The pilot speaks Norwegian and Dutch\./);
  });

  it('is unavailable without its program or language data; the error then names what to install', async () => {
    const path = await scan([SECOND]);
    for (const lacking of [{ tesseract: 'no-such-program' }, { languages: 'tlh' }]) {
      const recognition = new TextRecognition({
        tesseract: 'tesseract',
        languages: 'eng',
        parallel: 1,
        ...lacking,
      });
      assert.equal(await recognition.isAvailable(), false);
      await assert.rejects(parse(path, recognition), {
        code: 'OCR_REQUIRED',
        sentence: /^Pages 1 .*install tesseract-ocr/,
      });
    }
  });

  it('omits pages on which the programs fail', async () => {
    const path = join(folder, 'broken.pdf');
    await writeFile(path, 'not a PDF');
    const warnings: string[] = [];
    const recognition = new TextRecognition({
      tesseract: 'tesseract',
      languages: 'eng',
      parallel: 1,
      logger: { info: () => undefined, warn: (_, message) => warnings.push(message) },
    });
    const call = { signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
    assert.deepEqual(await recognition.recognize(path, [1, 2], call), new Map());
    assert.deepEqual(warnings, ['text recognition failed on pages']);
  });

  it('stops when the signal is aborted', async () => {
    const path = await scan([FIRST, SECOND]);
    const controller = new AbortController();
    const reading = english().recognize(path, [1, 2, 1, 2, 1, 2], {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await assert.rejects(reading, /enough/);
  });
});
