import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { XLSX } from '../file-type/file-type.js';
import { buildXlsx } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

describe('xlsxParser', () => {
  it('reads sheets as headings and tables, values as shown', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>When</t></is></c></row>' +
      '<row r="2"><c r="A2"><v>0.30000000000000004</v></c><c r="C2" s="1"><v>45292.5</v></c></row>' +
      '<row r="3"><c r="A3" s="2"><v>0.07</v></c><c r="C3" s="3"><v>60</v></c></row>' +
      '<row r="9"><c r="B9" t="b"><v>1</v></c></row>';
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd&quot; at &quot;hh:mm"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="14"/></cellXfs>';
    const sheets = [
      { name: 'Data', rows },
      { name: 'Empty', rows: '' },
      { name: 'Secret', rows: '<row><c><v>5</v></c></row>', state: 'hidden' as const },
    ];
    const document = await parse(buildXlsx(sheets, { strings: ['What'], styles }), XLSX);
    assert.deepEqual(outline(document), [
      ['heading2', 'Data'],
      ['table', 'What |  | When\n0.3 |  | 2024-01-01 12:00\n7% |  | 1900-02-28'],
      ['table', '| TRUE'],
      ['heading2', 'Secret'],
      ['table', '5'],
    ]);
    assert.equal(document.metadata['hiddenSheets'], 'Secret');
  });
});
