import { describe, expect, it } from '@jest/globals';
import { buildPdfPage, FIRST_EXTRA, streamObject } from '../test-files/index.js';
import { parse } from '../test-files/parse.js';

const field = (name: string, ui: string, entries = ''): string =>
  `<field name="${name}" w="90mm" h="9mm"><ui>${ui}</ui><caption><value><text>${name}</text></value></caption>${entries}</field>`;
const FIELDS = [
  '<draw w="180mm" h="10mm"><value><text>Claim for damage</text></value></draw>',
  field('Applicant', '<textEdit/>'),
  field('Country', '<choiceList/>', '<items><text>Chad</text><text>Peru</text></items>'),
  field('Insured', '<checkButton/>', '<items><integer>1</integer><integer>0</integer></items>'),
  field('Lawyer', '<checkButton/>', '<items><integer>1</integer><integer>0</integer></items>'),
  field('Secret', '<passwordEdit/>'),
  field('Remarks', '<textEdit multiLine="1"/>'),
];
const FORM =
  '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">' +
  '<subform name="claim" layout="tb"><pageSet><pageArea><contentArea h="260mm" w="190mm"/><medium stock="a4"/></pageArea></pageSet>' +
  `${FIELDS.join('')}</subform></template>` +
  '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><claim><Applicant>Mara Lindqvist</Applicant>' +
  '<Country>Peru</Country><Insured>1</Insured><Lawyer>0</Lawyer><Secret>swordfish</Secret><Remarks>The roof leaks.</Remarks>' +
  '</claim></xfa:data></xfa:datasets></xdp:xdp>';

describe('forms of the XML Forms Architecture', () => {
  it('are read as labels and values, without the page that asks to wait', async () => {
    const file = buildPdfPage('BT /F1 12 Tf 72 700 Td (Please wait...) Tj ET', {
      catalog: `/NeedsRendering true /AcroForm << /Fields [] /XFA ${FIRST_EXTRA} 0 R >>`,
      objects: [streamObject(FORM)],
    });
    const { text, pageCount } = await parse(file, 'application/pdf');
    expect(text.split('\n\n')).toEqual([
      'Claim for damage',
      'Applicant: Mara Lindqvist',
      'Country: Peru',
      '☒ Insured',
      '☐ Lawyer',
      'Remarks: The roof leaks.',
    ]);
    expect(pageCount).toBe(1);
  });
});
