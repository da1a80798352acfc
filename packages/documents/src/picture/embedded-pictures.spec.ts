import { describe, expect, it } from '@jest/globals';
import { chunkDocument } from '../chunks/chunk-document.js';
import { decodeDocument, encodeDocument } from '../document/document-codec.js';
import { DESCRIBED } from '../document/recognition.js';
import { parseDocument } from '../parse-document.js';
import { withNote } from '../recognized/recognition-note.js';
import { buildDocx, pngOf, relationships, wordParagraph } from '../test-files/index.js';

/** Tesseract's values of a picture with lines of words. */
function table(lines: readonly string[], confidence = 95): string {
  const rows = lines.flatMap((line, index) =>
    line
      .split(' ')
      .map((word, position) =>
        [
          5,
          1,
          1,
          1,
          index + 1,
          position + 1,
          20 + position * 90,
          20 + index * 40,
          80,
          20,
          confidence,
          word,
        ].join('\t'),
      ),
  );
  return ['1\t1\t0\t0\t0\t0\t0\t0\t900\t600\t-1\t', ...rows].join('\n');
}

const picture = (shade: number, width = 200, height = 100): Buffer =>
  pngOf({ width, height, grey: new Uint8Array(width * height).fill(shade) });
const shown = (id: string): string =>
  `<w:p><w:r><w:drawing><a:graphic><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphic></w:drawing></w:r></w:p>`;

/** A document with a paragraph before each picture. */
function documentWith(pictures: readonly Buffer[], hasText = true): Uint8Array {
  const ids = pictures.map((_, index) => `p${index}`);
  return buildDocx(ids.map((id) => (hasText ? wordParagraph(`Before ${id}`) : '') + shown(id)).join(''), {
    'word/_rels/document.xml.rels': relationships(
      Object.fromEntries(ids.map((id) => [id, ['image', `media/${id}.png`] as const])),
    ),
    ...Object.fromEntries(pictures.map((file, index) => [`word/media/p${index}.png`, file])),
  });
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function read(file: Uint8Array, recognized?: ReadonlyMap<number, string>) {
  const pending: number[] = [];
  const document = parseDocument(Uint8Array.from(file), {
    fileType: DOCX,
    onPicture: (number) => pending.push(number),
    ...(recognized === undefined ? {} : { recognized }),
  });
  return document.then(({ text, warnings, metadata }) => ({
    text,
    warnings: warnings.map(({ message }) => message),
    metadata,
    pending,
  }));
}

const LINES = ['Night fee of forty crowns', 'Wait for the pilot outside'];

describe('pictures in a document', () => {
  it('offers each picture once, without small ones, and places its text', async () => {
    const [logo, scan, icon] = [picture(1), picture(2), picture(3, 32, 32)];
    const file = documentWith([logo, scan, logo, icon]);
    const first = await read(file);
    expect([first.pending, first.metadata['unrecognizedPages']]).toEqual([[1, 2], 'pictures']);
    const second = await read(
      file,
      new Map([
        [1, table(['Acme'])],
        [2, table(LINES)],
      ]),
    );
    expect(second).toMatchObject({ pending: [], warnings: [] });
    expect(second.text.replace(/\s+/g, ' ')).toBe(
      'Before p0 Before p1 Night fee of forty crowns Wait for the pilot outside Before p2 Before p3',
    );
  });

  it.each([
    ['few letters', table(['Stop here'])],
    ['words that are no text', table(LINES, 40)],
    [
      'few confident words among others',
      `${table(['Danger of high voltage'])}\n${table([...LINES, ...LINES, ...LINES], 35)}`,
    ],
  ])('adds nothing for %s', async (_, values) => {
    expect((await read(documentWith([picture(1)]), new Map([[1, values]]))).text).toBe('Before p0');
  });

  it('keeps what a model says apart from other text, also of the picture', async () => {
    const note = { confidence: 95, languages: [], description: 'A harbour at night.' };
    const document = await parseDocument(Uint8Array.from(documentWith([picture(1), picture(2)])), {
      fileType: DOCX,
      onPicture: () => undefined,
      recognized: new Map([
        [1, withNote(table(LINES), note)],
        [2, withNote(table(['Acme']), note)],
      ]),
    });
    expect(
      [...chunkDocument(document)].map(({ text, confidence }) => [text.replace(/\s+/g, ' '), confidence]),
    ).toEqual([
      ['Before p0 Night fee of forty crowns Wait for the pilot outside', 95],
      ['A harbour at night.', DESCRIBED],
      ['Before p1', undefined],
      ['A harbour at night.', DESCRIBED],
    ]);
    expect(decodeDocument(encodeDocument(document)).blocks.map(({ confidence }) => confidence)).toEqual(
      document.blocks.map(({ confidence }) => confidence),
    );
  });

  it('asks for recognition if all text is in pictures', async () => {
    const file = documentWith([picture(1)], false);
    await expect(read(file)).rejects.toMatchObject({ code: 'OCR_REQUIRED' });
    await expect(read(file, new Map([[1, table([])]]))).rejects.toMatchObject({ code: 'EMPTY_DOCUMENT' });
  });

  it('says how many pictures were not read', async () => {
    const file = documentWith(Array.from({ length: 103 }, (_, index) => picture(index)));
    const recognized = new Map(Array.from({ length: 99 }, (_, index) => [index + 1, table(LINES)] as const));
    expect((await read(file)).pending).toHaveLength(100);
    expect((await read(file, recognized)).warnings).toEqual([
      expect.stringMatching(/^The text in 3 pictures was not recognized/),
      'Text recognition (OCR) failed on one picture of the file.',
    ]);
  });
});
