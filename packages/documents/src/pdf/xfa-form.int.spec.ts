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
    ['a date', '<textEdit/>', '<date/>', '2024-05-01'],
    ['a date with a time', '<textEdit/>', '<dateTime/>', '2024-05-01T08:30:00'],
    ['a time', '<textEdit/>', '<time/>', '08:30'],
    ['a decimal number', '<numericEdit/>', '<decimal/>', '1234567890123456789.50'],
    ['a number', '<numericEdit/>', '<float/>', '0.10'],
    ['an integer', '<numericEdit/>', '<integer/>', '00071'],
    ['text in a field for numbers', '<numericEdit/>', '<text/>', '1.234,50'],
    ['digits in a field without a type', '<numericEdit/>', '', '0012.50'],
  ])('have %s as the file has it', async (_, ui, type, value) => {
    const form = (content: string, data: string): string =>
      formOf(field('Total', ui, type && `<value>${content}</value>`), data);
    expect((await read(form(type, `<Total>${value}</Total>`))).text).toBe(`Total: ${value}`);
    if (type === '') return;
    const filled = type.replace('/>', `>${value}</${type.slice(1, -2)}>`);
    expect((await read(form(filled, ''))).text).toBe(`Total: ${value}`);
  });

  const NAMES = '<items><text>Apple</text><text>Berry</text><text>Cherry</text></items>';
  const KEYS = '<items save="1"><text>a</text><text>b</text><text>c</text></items>';
  it.each([
    ['one choice', 'open="userControl"', NAMES + KEYS, 'b', 'Berry'],
    ['several choices', 'open="multiSelect"', NAMES, '<v>Apple</v><v>Cherry</v>', 'Apple, Cherry'],
    ['several choices with keys', 'open="multiSelect"', NAMES + KEYS, '<v>a</v><v>c</v>', 'Apple, Cherry'],
    ['choices and an entry', 'open="multiSelect"', NAMES, '<v>Apple</v><v>Damson</v>', 'Damson, Apple'],
    ['an entry', 'textEntry="1"', NAMES, 'Damson', 'Damson'],
    ['an entry in a list without choices', 'textEntry="1"', '', 'Damson', 'Damson'],
  ])('have %s of a list', async (_, list, items, data, value) => {
    const form = formOf(field('Fruit', `<choiceList ${list}/>`, items), `<Fruit>${data}</Fruit>`);
    expect((await read(form)).text).toBe(`Fruit: ${value}`);
  });

  it('have words of which a part is bold, lines, and paragraphs', async () => {
    const rich = (content: string): string =>
      `<value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml">${content}</body></exData></value>`;
    const draw = (content: string): string => `<draw w="180mm">${rich(content)}</draw>`;
    const name = `<field name="a" w="90mm" h="9mm"><ui><textEdit/></ui><caption>${rich('<p>Sur<b>name</b>:</p>')}</caption></field>`;
    const drawn =
      draw('<p>An un<b>believ</b><i>able</i> H<sub>2</sub>O</p><p>Second</p>') + draw('one<br/>two');
    const { text } = await read(formOf(drawn + name, '<a>Lindqvist</a>'));
    expect(text).toBe('An unbelievable H2O\nSecond\n\none\ntwo\n\nSurname: Lindqvist');
  });

  it.each([
    ['without text', formOf('', '')],
    ['damaged', formOf(FIELDS.join(''), DATA).slice(0, 700)],
    ['no XML', 'a'],
  ])('are read as pages if the form is %s', async (_, form) => {
    expect((await read(form)).text).toBe('Please wait...');
  });
});
