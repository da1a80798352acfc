import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOCX } from '../file-type/file-type.js';
import { buildDocx, wordParagraph } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const item = (text: string, depth: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;

const STYLES =
  '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
  '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>' +
  '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style></w:styles>';
const NUMBERING =
  '<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>' +
  '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
  '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>';

describe('docxParser', () => {
  it('reads headings by style, lists, code, tables and text boxes', async () => {
    const box = `<w:p><w:r><w:t>Around </w:t><w:drawing><w:txbxContent>${wordParagraph('In a box')}</w:txbxContent></w:drawing></w:r></w:p>`;
    const body =
      wordParagraph('First', 'berschrift1') +
      wordParagraph('Text &amp; more') +
      item('one', 0) +
      item('inner', 1) +
      item('two', 0) +
      wordParagraph('let x', 'Code') +
      wordParagraph('  = 1', 'Code') +
      wordParagraph('Second', 'Mine') +
      `<w:tbl><w:tr>${cell('Name')}${cell('Town')}</w:tr><w:tr>${cell('Ada', '<w:vMerge w:val="restart"/>')}${cell('London')}</w:tr>` +
      `<w:tr>${cell('', '<w:vMerge/>')}${cell('Paris')}</w:tr></w:tbl>` +
      box;
    const document = await parse(
      buildDocx(body, { 'word/styles.xml': STYLES, 'word/numbering.xml': NUMBERING }),
      DOCX,
    );
    assert.deepEqual(outline(document), [
      ['heading1', 'First'],
      ['paragraph', 'Text & more'],
      ['list', '1. one\n  - inner\n2. two'],
      ['code', 'let x\n  = 1'],
      ['heading1', 'Second'],
      ['table', 'Name | Town\nAda | London\n| Paris'],
      ['paragraph', 'Around'],
      ['paragraph', 'In a box'],
    ]);
    assert.deepEqual(document.blocks.at(-1)?.headingPath, ['Second']);
  });

  it('leaves out what was deleted and reads what was inserted', async () => {
    const body =
      '<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:ins><w:r><w:t>c</w:t></w:r></w:ins></w:p>';
    assert.equal((await parse(buildDocx(body), DOCX)).text, 'ac');
  });

  it('says why it cannot read', async () => {
    await assert.rejects(parse(buildDocx(''), DOCX), { code: 'EMPTY_DOCUMENT' });
    await assert.rejects(parse(buildDocx('<w:p>'), DOCX), { code: 'CORRUPT_FILE' });
    await assert.rejects(parse('PK no zip', DOCX), { code: 'CORRUPT_FILE' });
  });
});
