import { describe, expect, it } from '@jest/globals';
import { buildPdf, type PdfLine, type PdfOptions } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const ADDRESS = 'https://example.org/m';
const LINE = { text: 'Read the manual (2nd edition), and ask again.', y: 500 };
/** Position of "manual" in that line, in Helvetica of 12 points. */
const MANUAL = { page: 0, left: 124, right: 163, y: 500, address: ADDRESS };
const READ = `Read the manual (${ADDRESS}) (2nd edition), and ask again.`;

const read = async (
  pages: readonly (readonly PdfLine[])[],
  options: PdfOptions,
): Promise<(readonly [string, string])[]> =>
  outline(await parse(buildPdf(pages, options), 'application/pdf'));

/** A link over a whole line that begins at the left margin. */
const all = (page: number, y: number, text: string): NonNullable<PdfOptions['links']>[number] => ({
  page,
  left: 72,
  right: 72 + text.length * 5.5,
  y,
  address: ADDRESS,
});

describe('links of PDF files', () => {
  for (const options of [{}, { packed: true }, { rotate: 90 as const }]) {
    it(`follow their words, ${JSON.stringify(options)}`, async () => {
      expect(await read([[LINE]], { ...options, links: [MANUAL] })).toEqual([['paragraph', READ]]);
    });
  }

  it('are found on a page whose origin is not zero', async () => {
    const file = Buffer.from(buildPdf([[LINE]], { links: [MANUAL] }));
    file.write('[9 9 612 792]', file.indexOf('[0 0 612 792]'));
    expect((await parse(file, 'application/pdf')).text).toBe(READ);
  });

  it('are omitted where the words show the address, and over images', async () => {
    const shown = { text: 'example.org/m', y: 700 };
    expect(await read([[shown]], { links: [all(0, 700, shown.text), all(0, 400, 'picture')] })).toEqual([
      ['paragraph', 'example.org/m'],
    ]);
  });

  it('follow linked words on two lines once, without dividing the paragraph', async () => {
    const lines = [
      { text: 'A paragraph that has many words ends in words of the docu-', y: 700 },
      { text: 'mentation', y: 686 },
    ];
    const links = [{ ...all(0, 700, ''), left: 330, right: 400 }, all(0, 686, 'mentation')];
    expect(await read([lines], { links })).toEqual([
      ['paragraph', `A paragraph that has many words ends in words of the documentation (${ADDRESS})`],
    ]);
  });

  it('do not divide a paragraph that continues on the next page', async () => {
    const pages = [
      [{ text: 'Words that go on and on,', y: 80 }],
      [{ text: 'over to the next page, which ends here.', y: 700 }],
    ];
    expect(await read(pages, { links: [all(0, 80, 'Words that go on and on')] })).toEqual([
      ['paragraph', `Words that go on and on (${ADDRESS}), over to the next page, which ends here.`],
    ]);
  });

  it('do not affect running footers and are not part of them', async () => {
    const footer = { text: 'Made with Kettle', y: 40, size: 9 };
    const words = ['apples', 'pears', 'plums', 'figs'];
    const pages = words.map((word) => [{ text: `There is much to say about ${word} here.`, y: 700 }, footer]);
    const links = [all(1, 40, footer.text), all(2, 40, footer.text)];
    const document = await parse(buildPdf(pages, { links }), 'application/pdf');
    expect(document.leftOut.running).toBe(3 * footer.text.length);
    expect(document.text.match(/Kettle.*/g)).toEqual(['Kettle']);
  });

  it('are not part of headings, which are repeated in chunk headers', async () => {
    const lines = [
      { text: 'Getting started', y: 700, font: 'bold' as const },
      { text: 'Getting started is what this paragraph is about, at length.', y: 670 },
      { text: 'Larger', y: 640, size: 20 },
      { text: 'What is larger is a heading, too, even where no outline names it.', y: 610 },
    ];
    const links = [all(0, 700, 'Getting started'), all(0, 640, 'Larger')];
    expect(
      (await read([lines], { links, outline: ['Getting started'] })).map(([kind, text]) => `${kind} ${text}`),
    ).toEqual([
      'heading1 Getting started',
      `paragraph ${lines[1]?.text}`,
      'heading1 Larger',
      `paragraph ${lines[3]?.text}`,
    ]);
  });

  it('do not affect table columns and code indentation', async () => {
    const rows = [
      ['Name', 'Town', 'Born'],
      ['Ada', 'London', '1815'],
      ['Grace', 'New York', '1906'],
    ];
    const table = rows.flatMap((cells, row) =>
      cells.map((text, cell): PdfLine => ({ text, x: 72 + cell * 150, y: 700 - row * 14 })),
    );
    const program = [
      { text: 'if (x) {', x: 90, y: 500, font: 'fixed' as const },
      { text: 'call y', x: 104.4, y: 486, font: 'fixed' as const },
      { text: '# why', x: 190.8, y: 486, font: 'fixed' as const },
      { text: '}', x: 90, y: 472, font: 'fixed' as const },
    ];
    const links = [all(0, 686, 'Ada'), { ...all(0, 486, ''), left: 140, right: 150 }];
    expect(await read([[...table, ...program]], { links })).toEqual([
      ['table', `Name | Town | Born\nAda (${ADDRESS}) | London | 1815\nGrace | New York | 1906`],
      ['code', `if (x) {\n  call y (${ADDRESS})      # why\n}`],
    ]);
  });
});
