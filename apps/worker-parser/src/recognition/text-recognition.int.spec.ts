import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeDocument, type Progress } from '@citewell/documents';
import { buildPdf, drawPages, type PdfLine } from '@citewell/documents/test-files';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recognition-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

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
    expect(text).toMatch(/The Harbour Office/);
    expect(text).toMatch(/pay the night fee of forty crowns and wait for the pilot/);
    const dutch = blocks.find(({ start, end }) => text.slice(start, end).includes('Dutch'));
    expect([dutch?.page, dutch?.headingPath]).toEqual([2, ['The Harbour Office']]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2 });
  });

  it('recognizes image pages between text pages', async () => {
    const cover = (text: string): PdfLine[] => [{ text, y: 700 }];
    const path = await scan([SECOND], [cover('A cover.'), cover('Whom it is for.')]);
    const { text } = await parse(path, english());
    expect(text).toMatch(/A cover\.\s+Whom it is for\.\s+The pilot speaks Norwegian and Dutch\./);
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
      expect(await recognition.isAvailable()).toBe(false);
      await expect(parse(path, recognition)).rejects.toMatchObject({
        code: 'OCR_REQUIRED',
        sentence: expect.stringMatching(/^Pages 1 .*install tesseract-ocr/),
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
    expect(await recognition.recognize(path, [1, 2], call)).toEqual(new Map());
    expect(warnings).toEqual(['text recognition failed on pages']);
  });

  it('stops when the signal is aborted', async () => {
    const path = await scan([FIRST, SECOND]);
    const controller = new AbortController();
    const reading = english().recognize(path, [1, 2, 1, 2, 1, 2], {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(reading).rejects.toThrow(/enough/);
  });
});
