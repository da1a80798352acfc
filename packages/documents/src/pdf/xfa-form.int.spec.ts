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
const formOf = (fields: string, data: string): string =>
  '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">' +
  '<subform name="claim" layout="tb"><pageSet><pageArea><contentArea h="260mm" w="190mm"/><medium stock="a4"/></pageArea></pageSet>' +
  `${fields}</subform></template>` +
  `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><claim>${data}</claim></xfa:data></xfa:datasets></xdp:xdp>`;
const DATA =
  '<Applicant>Mara Lindqvist</Applicant><Country>Peru</Country><Insured>1</Insured><Lawyer>0</Lawyer>' +
  '<Secret>swordfish</Secret><Remarks>The roof leaks.</Remarks>';

/** A form whose page has other text. */
const read = (form: string): ReturnType<typeof parse> =>
  parse(
    buildPdfPage('BT /F1 12 Tf 72 700 Td (Please wait...) Tj ET', {
      catalog: `/NeedsRendering true /AcroForm << /Fields [] /XFA ${FIRST_EXTRA} 0 R >>`,
      objects: [streamObject(form)],
    }),
    'application/pdf',
  );

describe('forms of the XML Forms Architecture', () => {
  it('are read as labels and values, without the page that asks to wait', async () => {
    const { text, pageCount, warnings } = await read(formOf(FIELDS.join(''), DATA));
    expect(text.split('\n\n')).toEqual([
      'Claim for damage',
      'Applicant: Mara Lindqvist',
      'Country: Peru',
      '☒ Insured',
      '☐ Lawyer',
      'Remarks: The roof leaks.',
    ]);
    expect(pageCount).toBe(1);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['date', '2024-05-01'],
    ['dateTime', '2024-05-01T08:30:00'],
    ['time', '08:30'],
    ['decimal', '1234567890123456789.50'],
    ['float', '0.10'],
    ['integer', '00071'],
  ])('have the digits of a %s as the file has them', async (type, value) => {
    const total = field('Total', '<textEdit/>', `<value><${type}>${value}</${type}></value>`);
    expect((await read(formOf(total, ''))).text).toBe(`Total: ${value}`);
  });

  it.each([
    ['without text', formOf('', '')],
    ['damaged', formOf(FIELDS.join(''), DATA).slice(0, 700)],
    ['no XML', 'a'],
  ])('are read as pages if the form is %s', async (_, form) => {
    expect((await read(form)).text).toBe('Please wait...');
  });
});
