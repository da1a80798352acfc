import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeDocument, type Progress } from '@citewell/documents';
import type { FileType } from '@citewell/documents/file-type';
import { buildPdf, drawPages, type PdfLine, type PdfPicture } from '@citewell/documents/test-files';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ParserSandbox } from '../sandbox/parser-sandbox.js';
import { TextRecognition } from './text-recognition.js';

const FIRST: PdfLine[] = [
  { text: 'The Harbour Office', y: 700, size: 26 },
  { text: 'Ships that arrive after midnight pay the night fee of', y: 650, size: 13 },
  { text: 'forty crowns and wait for the pilot at the outer buoy.', y: 634, size: 13 },
];
const SECOND: PdfLine[] = [{ text: 'The pilot speaks Norwegian and Dutch.', y: 700, size: 13 }];

const never = (): Promise<never> => Promise.reject(new Error('not called'));

function upsideDown({ width, height, grey }: PdfPicture): PdfPicture {
  return { width, height, grey: grey.toReversed() };
}

function onItsSide({ width, height, grey }: PdfPicture): PdfPicture {
  const turned = new Uint8Array(grey.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = grey[y * width + x] ?? 0;
  return { width: height, height: width, grey: turned };
}

/** A TIFF file with a greyscale page for each picture, without compression (TIFF 6.0, section 4). */
function tiffOf(pictures: readonly PdfPicture[]): Buffer {
  const parts = [Buffer.from('49492a0008000000', 'hex')];
  let offset = 8;
  for (const [index, { width, height, grey }] of pictures.entries()) {
    const data = offset + 2 + 8 * 12 + 4;
    const end = data + grey.length + (grey.length % 2);
    // Width, height, bits, compression, white is 255, offset, rows and bytes of the only strip.
    const fields = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, data],
      [278, height],
      [279, grey.length],
    ] as const;
    const directory = Buffer.alloc(data - offset);
    directory.writeUInt16LE(fields.length, 0);
    for (const [position, [tag, value]] of fields.entries()) {
      directory.writeUInt16LE(tag, 2 + position * 12);
      directory.writeUInt16LE(4, 4 + position * 12);
      directory.writeUInt32LE(1, 6 + position * 12);
      directory.writeUInt32LE(value, 10 + position * 12);
    }
    directory.writeUInt32LE(index === pictures.length - 1 ? 0 : end, directory.length - 4);
    parts.push(directory, Buffer.from(grey), Buffer.alloc(grey.length % 2));
    offset = end;
  }
  return Buffer.concat(parts);
}

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

  const limits = () => ({
    processes: 1,
    timeoutMs: 60_000,
    maxMemoryBytes: 500 * 1024 ** 2,
    maxOutputCharacters: 100_000,
    scratchDirectory: join(folder, 'scratch'),
  });

  async function parse(path: string, recognition: TextRecognition, progress: Progress[] = []) {
    const sandbox = new ParserSandbox({ ...limits(), recognition });
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

  async function parsePicture(fileType: FileType, picture: Uint8Array, recognition = english()) {
    const sandbox = new ParserSandbox({ ...limits(), recognition });
    const path = join(folder, 'picture');
    await writeFile(path, picture);
    try {
      return decodeDocument(await sandbox.parse({ source: path, fileType, fileName: 'picture' }));
    } finally {
      await sandbox.close();
    }
  }

  const english = (tesseract = 'tesseract') =>
    new TextRecognition({ tesseract, languages: 'eng', parallel: 2 });

  it.each([
    ['the system', 'tesseract'],
    ['the product', 'no-such-program'],
  ])('recognizes image pages with Tesseract of %s and keeps their page numbers', async (_, tesseract) => {
    const progress: Progress[] = [];
    const { text, blocks } = await parse(await scan([FIRST, SECOND]), english(tesseract), progress);
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

  it('is unavailable without data for the language; the error then names the setting', async () => {
    for (const tesseract of ['tesseract', 'no-such-program']) {
      const recognition = new TextRecognition({ tesseract, languages: 'tlh', parallel: 1 });
      expect(await recognition.isAvailable()).toBe(false);
      await expect(parse(await scan([SECOND]), recognition)).rejects.toMatchObject({
        code: 'OCR_REQUIRED',
        sentence: expect.stringMatching(/^Pages 1 .*OCR_LANGUAGES/),
      });
    }
  });

  it.each(['tesseract', 'no-such-program'])(
    'turns pages upright and straightens them: %s',
    async (tesseract) => {
      const fees = ['forty', 'fifty', 'sixty'].map((crowns): PdfLine[] => [
        { text: `Ships that arrive after midnight pay the night fee of ${crowns} crowns`, y: 650, size: 13 },
        { text: `and wait for the pilot at the outer buoy, with ${crowns} lamps lit.`, y: 634, size: 13 },
      ]);
      const [one, two, three] = drawPages(buildPdf(fees)) as [PdfPicture, PdfPicture, PdfPicture];
      const path = join(folder, 'turned.pdf');
      await writeFile(path, buildPdf([upsideDown(one), onItsSide(two), onItsSide(upsideDown(three))]));
      const { text } = await parse(path, english(tesseract));
      expect(text.match(/night fee of (?:forty|fifty|sixty) crowns and wait/g)).toHaveLength(3);
    },
  );

  it('reads the pages of a picture', async () => {
    const text = await parsePicture(
      'image/tiff',
      tiffOf([FIRST, SECOND].flatMap((page) => drawPages(buildPdf([page])))),
    );
    expect(text.blocks.map(({ page }) => page)).toEqual(expect.arrayContaining([1, 2]));
    expect(text.text).toMatch(/pay the night fee of forty crowns[^]*speaks Norwegian/);
  });

  it('reads pictures with Tesseract of the system in a language that the product lacks', async () => {
    const tesseract = join(folder, 'german-tesseract');
    // Its data of German is that of English.
    const script =
      '#!/bin/sh\nif [ "$1" = --list-langs ]; then printf "List\\ndeu\\n"; exit; fi\nshift 4\nexec tesseract stdin stdout -l eng "$@"\n';
    await writeFile(tesseract, script, { mode: 0o755 });
    const pictures = [FIRST, SECOND].flatMap((page) => drawPages(buildPdf([page])));
    const recognition = new TextRecognition({ tesseract, languages: 'deu', parallel: 1 });
    const { text, blocks } = await parsePicture('image/tiff', tiffOf(pictures), recognition);
    expect(text).toMatch(/pay the night fee of forty crowns[^]*speaks Norwegian/);
    const dutch = blocks.find(({ start, end }) => text.slice(start, end).includes('Dutch'));
    expect([dutch?.page, dutch?.confidence]).toEqual([2, expect.any(Number)]);
  });

  it('says that a picture shows no text', async () => {
    const blank = { width: 400, height: 300, grey: new Uint8Array(120_000).fill(255) };
    await expect(parsePicture('image/tiff', tiffOf([blank]))).rejects.toMatchObject({
      code: 'EMPTY_DOCUMENT',
      sentence: expect.stringMatching(/found no text in the picture/),
    });
  });

  it('lets other files through between two pages', async () => {
    const path = await scan([FIRST, SECOND, FIRST, SECOND]);
    const sandbox = new ParserSandbox({ ...limits(), recognition: english('no-such-program') });
    try {
      const order: string[] = [];
      const scanned = sandbox
        .parse(
          { source: path, fileType: 'application/pdf', fileName: 'scan.pdf' },
          { holder: 'one', onProgress: ({ done }) => done > 0 && order.push(`page ${done}`) },
        )
        .then(() => order.push('scan'));
      const other = sandbox.parse(
        { source: Buffer.from('A note.'), fileType: 'text/plain', fileName: 'note.txt' },
        { holder: 'two' },
      );
      await Promise.all([scanned, other.then(() => order.push('note'))]);
      expect(order.indexOf('note')).toBeLessThan(order.indexOf('scan') - 1);
    } finally {
      await sandbox.close();
    }
  });

  it('goes on with the pages that an earlier call did not keep; progress never goes back', async () => {
    const path = await scan([FIRST, SECOND, FIRST, SECOND], [[{ text: 'A cover.', y: 700 }]]);
    const kept = new Map<number, string>();
    const saved: number[] = [];
    const controller = new AbortController();
    const store = {
      load: async () => kept,
      save: async (page: number, table: string) => {
        kept.set(page, table);
        saved.push(page);
        if (saved.length === 2) controller.abort(new Error('killed'));
      },
    };
    const progress: Progress[] = [];
    const parseWith = async (signal?: AbortSignal) => {
      const sandbox = new ParserSandbox({ ...limits(), recognition: english('no-such-program') });
      const input = { source: path, fileType: 'application/pdf', fileName: 'scan.pdf' } as const;
      try {
        return await sandbox.parse(input, {
          pageStore: store,
          onProgress: (now) => progress.push(now),
          ...(signal && { signal }),
        });
      } finally {
        await sandbox.close();
      }
    };
    await expect(parseWith(controller.signal)).rejects.toThrow(/killed/);
    expect(progress.map(({ done }) => done)).toEqual(progress.map(({ done }) => done).toSorted());
    const before = progress.splice(0).at(-1)?.done;
    const { pages, words } = await parseWith();
    expect(saved.toSorted()).toEqual([2, 3, 4, 5]);
    expect(pages.map(({ from, to, content }) => [from, to, content])).toEqual([
      [1, 1, 'text'],
      [2, 5, 'recognized'],
    ]);
    expect(words?.byteLength).toBeGreaterThan(0);
    // The cover, and then the kept pages at once.
    const done = progress.map((now) => now.done);
    expect(done).toEqual(done.toSorted());
    expect([before, done.at(-1), progress.at(-1)?.total]).toEqual([3, 5, 5]);
    expect(done).toContain(3);
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
    const call = {
      isPicture: false,
      signal: AbortSignal.timeout(60_000),
      onPage: never,
      inSandbox: never,
    };
    await recognition.recognize(path, [1, 2], call);
    expect(warnings).toEqual(['text recognition failed on pages']);
  });

  it('stops whenever the signal is aborted', async () => {
    const noise = Uint8Array.from({ length: 2_480 * 3_508 }, (_, index) => (index * 2_654_435_761) >>> 24);
    const path = join(folder, 'noise.pdf');
    await writeFile(path, buildPdf([{ width: 2_480, height: 3_508, grey: noise }]));
    const recognition = english();
    // Drawing the page takes some 400 ms, and ends at a moment that differs from machine to machine.
    for (let delayMs = 100; delayMs < 800; delayMs += 50) {
      const reading = recognition.recognize(path, [1], {
        isPicture: false,
        signal: AbortSignal.timeout(delayMs),
        onPage: async () => undefined,
        inSandbox: never,
      });
      await expect(reading).rejects.toThrow(/due to timeout/);
    }
  });
});
