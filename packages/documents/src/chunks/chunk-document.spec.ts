import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../document/document.js';
import { DocumentBuilder } from '../document/document-builder.js';
import { type Chunk, chunkDocument, type ChunkOptions, embeddedText, isListing } from './chunk-document.js';
import { countTokens, type CountTokens } from './count-tokens.js';

const words = fc
  .array(
    fc.constantFrom('alpha', 'beta.', 'Γ', '漢字。', '👩‍👩‍👧‍👦', 'é', 'x'.repeat(60), 'end!', '\n', '١٢٣', '🇩🇪'),
    { maxLength: 60 },
  )
  .chain((parts) => fc.constantFrom(' ', '').map((separator) => parts.join(separator)));

type Step = (builder: DocumentBuilder) => unknown;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 5 }), words).map(
    ([level, text]): Step =>
      (builder) =>
        builder.heading(level, text),
  ),
  words.map(
    (text): Step =>
      (builder) =>
        builder.block('paragraph', text),
  ),
  words.map(
    (text): Step =>
      (builder) =>
        builder.block('list', text),
  ),
  fc.array(fc.array(words, { maxLength: 4 }), { maxLength: 8 }).map(
    (rows): Step =>
      (builder) =>
        builder.table(rows, { headerRow: true }),
  ),
);

const anyDocument = fc
  .record({ steps: fc.array(anyStep, { maxLength: 12 }), pages: fc.boolean(), title: words })
  .map(({ steps, pages, title }) => {
    const builder = new DocumentBuilder().setTitle(title).block('paragraph', 'begin');
    for (const [index, step] of steps.entries()) {
      if (pages && index % 2 === 0) builder.beginPage(index / 2 + 1);
      step(builder);
    }
    return builder.build();
  });

const anyBounds = fc
  .record({ maxTokens: fc.integer({ min: 40, max: 200 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ maxTokens, share }): ChunkOptions => ({ maxTokens, minTokens: Math.trunc(maxTokens * share) }));

function checkInvariants(document: Document, chunks: readonly Chunk[], maxTokens: number): void {
  let end = 0;
  for (const [ordinal, chunk] of chunks.entries()) {
    expect(chunk.ordinal).toBe(ordinal);
    expect(chunk.text).toBe(document.text.slice(chunk.start, chunk.end));
    // Surrogate pairs are intact.
    expect(chunk.text.isWellFormed()).toBe(true);
    expect(chunk.start).toBeGreaterThanOrEqual(end);
    // No text is missing.
    expect(document.text.slice(end, chunk.start).trim()).toBe('');
    expect(chunk.tokens).toBeLessThanOrEqual(maxTokens);
    expect(chunk.tokens).toBe(countTokens(embeddedText(chunk)));
    const blocks = document.blocks.filter((block) => block.start < chunk.end && block.end > chunk.start);
    // The chunk is on one page.
    expect(blocks.every((block) => block.page === blocks[0]?.page)).toBe(true);
    let hasBody = false;
    for (const block of blocks) {
      if (block.kind === 'heading') expect(!hasBody || (block.level ?? 1) > 2).toBe(true);
      else hasBody = true;
    }
    end = chunk.end;
  }
  expect(document.text.slice(end).trim()).toBe('');
}

/** A tokenizer that records how many characters it has counted. */
function characterCounter(): { readonly countTokens: CountTokens; readonly characters: () => number } {
  let characters = 0;
  const counting: CountTokens = (text) => {
    characters += text.length;
    return countTokens(text);
  };
  return { countTokens: counting, characters: () => characters };
}

describe('chunkDocument', () => {
  it('covers any document with exact slices within the token limits', () => {
    fc.assert(
      fc.property(anyDocument, anyBounds, (document, options) => {
        checkInvariants(document, [...chunkDocument(document, options)], options.maxTokens ?? 500);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps a code block whole if it fits with its headings', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 0, max: 80 }),
        words,
        (lines, before, title) => {
          const builder = new DocumentBuilder().heading(1, 'Guide').heading(2, title);
          builder.block('paragraph', 'Some words above it. '.repeat(before));
          const document = builder
            .block('code', 'const a = 1;\n'.repeat(lines))
            .block('paragraph', 'The end.')
            .build();
          const chunks = [...chunkDocument(document)];
          checkInvariants(document, chunks, 500);
          const code = document.blocks.find((block) => block.kind === 'code');
          if (code === undefined) return;
          const holding = chunks.filter(({ start, end }) => start < code.end && end > code.start);
          const tokens = countTokens(document.text.slice(code.start, code.end));
          const above = countTokens(`Guide › ${document.blocks[1]?.kind === 'heading' ? title : ''}`);
          if (tokens + 2 * above + 20 <= 500) expect(holding).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('repeats the header row above later parts of a table and divides no row', () => {
    const rows = [
      ['Name', 'City'],
      ...Array.from({ length: 100 }, (_, index) => [`Person ${index}`, `City ${index}`]),
    ];
    const document = new DocumentBuilder().setTitle('People').table(rows, { headerRow: true }).build();
    const chunks = [...chunkDocument(document, { minTokens: 50, maxTokens: 120 })];
    expect(chunks.length).toBeGreaterThan(3);
    for (const [index, chunk] of chunks.entries()) {
      expect(chunk.header).toBe(index === 0 ? 'People' : 'People\nName | City');
      for (const line of chunk.text.split('\n'))
        expect(line).toMatch(index === 0 ? / \| / : /^Person \d+ \| City \d+$/);
    }
    checkInvariants(document, chunks, 120);
  });

  it('joins small sections below level 2 and keeps headings with their text', () => {
    const builder = new DocumentBuilder().heading(1, 'Guide').heading(2, 'Setup');
    for (const name of ['One', 'Two', 'Three']) builder.heading(3, name).block('paragraph', `About ${name}.`);
    const document = builder.heading(2, 'Use').block('paragraph', 'Run it.').build();
    const chunks = [...chunkDocument(document)];
    expect(chunks.map(({ text, header, headingPath }) => ({ text, header, headingPath }))).toEqual([
      {
        text: 'Guide\n\nSetup\n\nOne\n\nAbout One.\n\nTwo\n\nAbout Two.\n\nThree\n\nAbout Three.',
        header: '',
        headingPath: ['Guide', 'Setup'],
      },
      { text: 'Use\n\nRun it.', header: 'Guide', headingPath: ['Guide', 'Use'] },
    ]);
  });

  it('divides a long run without spaces between graphemes', () => {
    const family = '👩‍👩‍👧‍👦';
    const document = new DocumentBuilder()
      .block('paragraph', 'a'.repeat(100_000) + family.repeat(500))
      .build();
    const chunks = [...chunkDocument(document)];
    checkInvariants(document, chunks, 500);
    const last = chunks.slice(-3);
    expect(last.every((chunk) => chunk.text.endsWith(family))).toBe(true);
  });

  it('counts the tokens of a number of characters linear in a run without spaces', () => {
    const countedFor = (length: number): number => {
      const { countTokens: counting, characters } = characterCounter();
      const document = new DocumentBuilder().block('paragraph', 'a'.repeat(length)).build();
      expect([...chunkDocument(document, { countTokens: counting })].length).toBeGreaterThan(10);
      return characters();
    };
    const [single, double] = [countedFor(50_000), countedFor(100_000)];
    expect(double).toBeLessThan(single * 2.2);
  });

  it('is lazy', () => {
    const document = new DocumentBuilder().block('paragraph', 'word '.repeat(2_000_000)).build();
    const { countTokens: counting, characters } = characterCounter();
    const [first] = chunkDocument(document, { countTokens: counting });
    expect(first).toBeTruthy();
    expect(characters()).toBeLessThan(50_000);
  });

  it('gives equal hashes to equal embedded texts and rejects invalid limits', () => {
    const build = (): Document => new DocumentBuilder().setTitle('T').block('paragraph', 'same').build();
    const [one] = chunkDocument(build());
    const [two] = chunkDocument(build());
    expect(one?.contentHash).toBe(two?.contentHash);
    expect(one?.contentHash ?? '').toMatch(/^[0-9a-f]{32}$/);
    expect(() => [...chunkDocument(build(), { minTokens: 600 })]).toThrow(RangeError);
  });

  it('truncates a long heading in the heading path of each chunk', () => {
    const long = 'words of a heading '.repeat(20_000).trim();
    const document = new DocumentBuilder().heading(1, long).block('paragraph', 'The text.').build();
    const chunks = [...chunkDocument(document)];
    expect(chunks.length).toBeGreaterThan(100);
    const name = document.title ?? '';
    expect(new Set(chunks.map(({ headingPath }) => headingPath.join()))).toEqual(new Set([name]));
    const [first, ...rest] = chunks.map(({ header }) => header);
    // The first chunk begins with the heading itself.
    expect(first).toBe('');
    expect(new Set(rest)).toEqual(new Set([name]));
  });
});

const CONTENTS = [
  '1 Introduction … 1',
  '1.1 Numbers … 2',
  '1.2 Strings ........ 14',
  '2 Plots . . . . 31',
  '2.1 Lines … 32',
];
const INDEX = ['colour, of a line, 31', 'figures, 12, 14–16', 'lines, 31, 33', 'plots, 12', 'strings, 14'];
const PROSE = [
  'The package was written in 1998, 1999',
  'and again later. It has two parts.',
  'See chapter 3.',
  'a',
  'b',
];
const TABLE = ['1 2 3', '4 5 6', '7 8 9', '10 11 12', '13 14 15'];

describe('isListing', () => {
  it.each([
    ['a table of contents', CONTENTS, true],
    ['an index', INDEX, true],
    ['a table of contents with a heading', ['Table of Contents', '', ...CONTENTS], true],
    ['a short list', CONTENTS.slice(0, 4), false],
    ['prose', PROSE, false],
    ['a table of numbers', TABLE, false],
    ['nothing', [], false],
  ])('recognizes %s', (_, lines, expected) => expect(isListing(lines.join('\n'))).toBe(expected));

  it('is linear in the length of a line', () => {
    expect(isListing(Array(5).fill('a.'.repeat(500_000)).join('\n'))).toBe(false);
  });
});
