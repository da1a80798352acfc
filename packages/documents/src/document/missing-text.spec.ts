import { describe, expect, it } from '@jest/globals';
import { buildDocx, buildPptx, wordParagraph } from '../test-files/index.js';
import { parse } from '../test-files/parse.js';
import type { FileType } from '../file-type/file-type.js';
import { DocumentBuilder } from './document-builder.js';
import { missingText } from './missing-text.js';

const SLIDE = `<p:sp><p:txBody><a:p><a:r><a:t>${'Order arrives '.repeat(20)}</a:t></a:r></a:p></p:txBody></p:sp>`;

describe('missingText', () => {
  it.each<[name: string, visible: string, known: string[], missing: string[]]>([
    ['nothing', 'The pump stops at 25 bar.', ['The pump stops at 25 bar.'], []],
    [
      'a sentence',
      'Open the valve. Close the inlet slowly.',
      ['Open the valve.'],
      ['Close the inlet slowly'],
    ],
    [
      'a passage between known text',
      'Rent: 900 deposit thousand Heating',
      ['Rent: 900 | Heating'],
      ['deposit thousand Heating'],
    ],
    ['two passages', 'alpha betas\nknown\ngamma delta', ['known'], ['alpha betas', 'gamma delta']],
    ['Chinese', '开业时间为星期二。价格包括早餐和停车费用', ['开业时间为星期二'], ['价格包括早餐和停车费用']],
    ['text that was left out on purpose', 'Menu Imprint Contact', ['', 'Menu Imprint Contact'], []],
    [
      'cells in another order',
      'Rome\n80\nOslo\n90\nBern\nBrussels\n12',
      ['Rome | Oslo | Bern | Brussels\n80 | 90 | 12'],
      [],
    ],
    [
      'a sentence of known words',
      'children pay for tickets',
      ['Tickets pay.\nWe wait for children.'],
      ['pay for tickets'],
    ],
    ['case', 'PERMANENT RESIDENTS', ['Permanent residents'], []],
    ['hyphens', 'maintenance of instruments', ['main-\ntenance of instru\u00adments'], []],
    ['words that are joined', 'Maxi mum press ure', ['Maximum pressure'], []],
    ['letters from right to left', 'תלעפה רורפ תיבה', ['הבית פרור הפעלת'], []],
    ['forms of letters', '\ufb01nal \uff21\uff22\uff23\uff24\uff25\uff26', ['final ABCDEF'], []],
    ['decomposed accents', 'Ge\u0301ne\u0301ral re\u0301sume\u0301', ['Général résumé'], []],
    ['too little text', 'Rent 12 abc', ['Rent'], []],
  ])('%s', (_, visible, known, missing) => {
    expect(missingText([visible], known)).toEqual(missing);
  });
});

/** Numbers from 0 to 1 in an order that is the same in each run (Mulberry32 by Tommy Ettinger, public domain). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const first = Math.imul(state ^ (state >>> 15), 1 | state);
    const second = first ^ (first + Math.imul(first ^ (first >>> 7), 61 | first));
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32;
  };
}

function textOf(words: readonly string[], count: number, seed: number, separator: string): string {
  const next = numbersFrom(seed);
  return Array.from({ length: count }, () => words[Math.floor(next() * words.length)] ?? '').join(separator);
}

describe('a lost passage of a long text', () => {
  const letters = [...'eeeaaoiinnssttrrhldcumfpgwybvk'];
  const latin = Array.from({ length: 2_000 }, (_, index) => textOf(letters, 2 + (index % 8), index, ''));
  const chinese = Array.from({ length: 2_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));

  it.each([
    ['300 KB of words', latin, 50_000, 20, ' '],
    ['50,000 Chinese characters', chinese, 50_000, 30, ''],
  ] as const)('is found beside %s', (_, words, count, lost, separator) => {
    const kept = textOf(words, count, 1, separator);
    const passage = textOf(words, lost, 99, separator);
    expect(missingText([`${kept}\n${passage}`], [kept]).join('').length).toBeGreaterThan(passage.length / 2);
    expect(missingText([kept], [kept])).toEqual([]);
  });
});

describe('the warning of missing text', () => {
  const lost = '<x:part xmlns:x="x"><x:p><x:t>The tariff of the ferry &#38; the bus</x:t></x:p></x:part>';
  const office = 'application/vnd.openxmlformats-officedocument.';

  it.each<[name: string, fileType: FileType, file: (parts: Record<string, string>) => Uint8Array]>([
    [
      'Word',
      `${office}wordprocessingml.document`,
      (parts) => buildDocx(wordParagraph('Order arrives'.repeat(20)), parts),
    ],
    ['PowerPoint', `${office}presentationml.presentation`, (parts) => buildPptx([SLIDE], { parts })],
  ])('names what no reader of %s knows', async (_, fileType, file) => {
    const { warnings } = await parse(file({ 'word/unknown/part1.xml': lost }), fileType);
    expect(warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('first “The tariff of the ferry & the bus”') },
    ]);
    const complete = await parse(file({ 'word/theme/theme1.xml': lost }), fileType);
    expect(complete.warnings).toEqual([]);
  });

  it('is told beside any number of other warnings', () => {
    const builder = new DocumentBuilder().block('paragraph', 'Rent').see('The deposit is paid in May');
    for (let line = 0; line < 20; line += 1) builder.warn('LINES_SKIPPED');
    expect(builder.build().warnings[0]?.message).toMatch(/Not read: .* “The deposit is paid in May”/);
  });

  it('says how much is missing', () => {
    const { warnings } = new DocumentBuilder()
      .block('paragraph', 'Rent')
      .see('Rent: 900 francs\nThe deposit is paid in May')
      .leaveOut('hidden', '900 francs')
      .build();
    expect(warnings).toEqual([
      {
        code: 'MOSTLY_LEFT_OUT',
        message:
          'More than a third of the text was left out. Compare the stored text with the document before you rely on it. ' +
          'Not read: 26 characters in 1 passage, first “The deposit is paid in May”.',
      },
    ]);
  });
});
