import { describe, expect, it } from '@jest/globals';
import { DOCX } from '../file-type/file-type.js';
import { buildDocx, wordParagraph } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const item = (text: string, depth: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const NUMBERING =
  '<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>' +
  '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
  '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>';

describe('DocxNumbering', () => {
  it('numbers headings and lists as Word does', async () => {
    const levels = ['%1', '%1.%2', '(%3)']
      .map(
        (text, depth) =>
          `<w:lvl w:ilvl="${depth}"><w:numFmt w:val="${depth === 2 ? 'lowerRoman' : 'decimal'}"/><w:lvlText w:val="${text}"/></w:lvl>`,
      )
      .join('');
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const styles =
      '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const body =
      wordParagraph('Scope', 'H1') +
      wordParagraph('Parts', 'H2') +
      item('one', 2) +
      item('two', 2) +
      wordParagraph('Terms', 'H1') +
      wordParagraph('Words', 'H2');
    const file = buildDocx(body, { 'word/styles.xml': styles, 'word/numbering.xml': numbering });
    expect(outline(await parse(file, DOCX))).toEqual([
      ['heading1', '1 Scope'],
      ['heading2', '1.1 Parts'],
      ['list', '    (i) one\n    (ii) two'.trim()],
      ['heading1', '2 Terms'],
      ['heading2', '2.1 Words'],
    ]);
  });

  it('numbers lists by their definitions', async () => {
    const level = (depth: number, text: string, properties = ''): string =>
      `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/>${properties}<w:lvlText w:val="${text}"/></w:lvl>`;
    const abstract = (id: number, ...levels: string[]): string =>
      `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`;
    const instance = (id: number, abstractId: number, overrides = ''): string =>
      `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`;
    const point = (list: number, depth: number): string =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
    const numbering =
      abstract(
        1,
        level(0, '第%1条', '<w:numFmt w:val="chineseCountingThousand"/>'),
        level(1, '%1.%2', '<w:isLgl/>'),
        level(2, '§ %3', '<w:lvlRestart w:val="0"/>'),
      ) +
      abstract(
        2,
        level(
          0,
          '%1',
          '<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>',
        ),
      ) +
      abstract(3, '<w:numStyleLink w:val="Mine"/>') +
      abstract(4, '<w:styleLink w:val="Mine"/>', level(0, 'Annex %1:', '<w:numFmt w:val="upperLetter"/>')) +
      abstract(5, level(0, 'Note:', '<w:numFmt w:val="none"/>')) +
      instance(1, 1) +
      instance(2, 2) +
      instance(3, 3) +
      instance(
        4,
        2,
        // No level has this number: counters up to it would take hours.
        ['0', '4294967294']
          .map((depth) => `<w:lvlOverride w:ilvl="${depth}"><w:startOverride w:val="7"/></w:lvlOverride>`)
          .join(''),
      ) +
      instance(5, 5) +
      instance(
        6,
        1,
        `<w:lvlOverride w:ilvl="0">${level(0, 'Art. %1', '<w:numFmt w:val="ordinal"/>')}</w:lvlOverride>`,
      );
    const points: [list: number, depth: number, label: string][] = [
      [1, 0, '第一条'],
      [1, 1, '1.1'],
      [1, 2, '§ 1'],
      [1, 0, '第二条'],
      [1, 1, '2.1'],
      [1, 2, '§ 2'],
      [2, 0, '001'],
      [4, 0, '007'],
      [3, 0, 'Annex A:'],
      [5, 0, 'Note:'],
      [6, 0, 'Art. 3rd'],
    ];
    const body = points.map(([list, depth]) => point(list, depth)).join('');
    const file = buildDocx(body, { 'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>` });
    const { text } = await parse(file, DOCX);
    expect(text.split('\n').map((line) => line.trim())).toEqual(points.map(([, , label]) => `${label} x`));
  });

  it('takes the level of a list from a style, and the list from its base style', async () => {
    const style = (id: string, properties: string): string =>
      `<w:style w:styleId="${id}">${properties}</w:style>`;
    const styles =
      '<w:styles>' +
      style('Base', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>') +
      style('Deep', '<w:basedOn w:val="Base"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>') +
      '</w:styles>';
    const own = wordParagraph('c', 'Base').replace(
      '</w:pPr>',
      '<w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>',
    );
    const file = buildDocx(wordParagraph('a', 'Base') + wordParagraph('b', 'Deep') + own, {
      'word/styles.xml': styles,
      'word/numbering.xml': NUMBERING,
    });
    expect((await parse(file, DOCX)).text).toBe('1. a\n  - b\n  - c');
  });
});
