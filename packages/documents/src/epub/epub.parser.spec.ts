import { describe, expect, it } from '@jest/globals';
import { EPUB } from '../file-type/file-type.js';
import { buildZip } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const page = (body: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

function book(parts: Readonly<Record<string, string>> = {}): Uint8Array<ArrayBuffer> {
  return buildZip({
    mimetype: EPUB,
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata xmlns:dc="dc"><dc:title>Hay and Needles</dc:title><dc:creator>A. Farmer</dc:creator><dc:language>en-GB</dc:language></metadata>
      <manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
        <item id="one" href="text/chapter%201.xhtml" media-type="application/xhtml+xml"/>
        <item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
        <item id="ad" href="ad.xhtml" media-type="application/xhtml+xml"/></manifest>
      <spine><itemref idref="n"/><itemref idref="two"/><itemref idref="one"/><itemref idref="ad" linear="no"/></spine></package>`,
    'OEBPS/nav.xhtml': page('<nav><ol><li>Contents</li></ol></nav>'),
    'OEBPS/text/chapter 1.xhtml': page('<p>Printed in Oslo.</p>'),
    'OEBPS/text/two.xhtml': page(
      '<a id="top"/><h1>Hay</h1><p>Much of it.</p><h2 id="stack">Stack</h2><p>The needle<br/>is here.</p>',
    ),
    'OEBPS/ad.xhtml': page('<p>Buy more books!</p>'),
    ...parts,
  });
}

describe('epubParser', () => {
  it('reads the spine in order, with headings and anchors', async () => {
    const document = await parse(book(), EPUB);
    expect(outline(document)).toEqual([
      ['heading1', 'Hay'],
      ['paragraph', 'Much of it.'],
      ['heading2', 'Stack'],
      ['paragraph', 'The needle\nis here.'],
      ['paragraph', 'Printed in Oslo.'],
      ['paragraph', 'Buy more books!'],
    ]);
    expect([document.title, document.language, document.metadata['author']]).toEqual([
      'Hay and Needles',
      'en-GB',
      'A. Farmer',
    ]);
    expect(document.blocks.slice(-3, -1).map(({ headingPath, anchor }) => [headingPath, anchor])).toEqual([
      [['Hay', 'Stack'], 'stack'],
      [[], undefined],
    ]);
  });

  const notes = (itemref: string, href: string): Uint8Array<ArrayBuffer> =>
    buildZip({
      mimetype: EPUB,
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      'OEBPS/book.opf': `<package><manifest>
          <item id="one" href="text/One.xhtml" media-type="application/xhtml+xml"/>
          <item id="two" href="Text/two.xhtml" media-type="application/xhtml+xml"/>
          <item id="notes" href="text/my%20notes.xhtml" media-type="application/xhtml+xml"/>
          <item id="lost" href="text/lost.xhtml" media-type="application/xhtml+xml"/>
          <item id="unused" href="text/unused.html" media-type="text/html"/></manifest>
        <spine toc="ncx">${itemref}<itemref idref="one"/><itemref idref="two"/></spine></package>`,
      'OEBPS/text/One.xhtml': page(
        `<p>First<a href="${href}">1</a></p><img src="x.png" alt="A plan of the house"/>`,
      ),
      'OEBPS/text/two.xhtml': page(
        '<p>Second <a href="my notes.xhtml#n2">2</a> <a href="https://a.example/">x</a></p>',
      ),
      'OEBPS/text/my notes.xhtml': page('<p id="n1">The note. <a href="One.xhtml">back</a></p>'),
      'OEBPS/text/unused.html': page('<p>Nobody sees this.</p>'),
    });

  it.each([
    ['linear="no"', '<itemref idref="notes" linear="no"/>', 'my%20notes.xhtml#n1'],
    ['only in the manifest', '', 'my%20notes.xhtml#n1'],
    ['with another case', '', 'My%20Notes.xhtml'],
    ['from the root', '', '../text/my notes.xhtml'],
  ])(
    'reads notes outside of the reading order after the chapter that links to them: %s',
    async (_what, itemref, href) => {
      const { text, leftOut, warnings } = await parse(notes(itemref, href), EPUB);
      expect(text.split('\n\n')).toEqual(['First1', 'A plan of the house', 'The note. back', 'Second 2 x']);
      expect(leftOut).toEqual({ hidden: 'Nobody sees this.'.length });
      expect(warnings).toEqual([]);
    },
  );

  it.each([
    ['c%20d.xhtml', 'c%2520d.xhtml'],
    ['c%20d.xhtml', 'c%20d.xhtml'],
    ['c d.xhtml', 'C%20d.xhtml'],
    ['100%.xhtml', '100%25.xhtml'],
    ['é.xhtml', './x/../%C3%A9.xhtml#top'],
  ])('finds the page %s by %s', async (name, href) => {
    const manifest = `<package><manifest><item id="c" href="${href}" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`;
    const file = book({ 'OEBPS/book.opf': manifest, [`OEBPS/${name}`]: page('<p>Read&nbsp;it</p>') });
    expect((await parse(file, EPUB)).text).toBe('Read it');
  });

  it('names pages of the reading order that are missing', async () => {
    const { warnings } = await parse(notes('<itemref idref="lost"/>', 'two.xhtml'), EPUB);
    expect(warnings).toEqual([{ code: 'PARTLY_READ', message: expect.stringContaining('text/lost.xhtml') }]);
  });

  it('reports why a book cannot be read', async () => {
    const encrypted = (uri: string): string =>
      `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
    const locked = book({ 'META-INF/encryption.xml': encrypted('OEBPS/text/two.xhtml') });
    await expect(parse(locked, EPUB)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FILE',
      userMessage: expect.stringMatching(/DRM/),
    });
    const font = book({ 'META-INF/encryption.xml': encrypted('OEBPS/font.otf') });
    expect((await parse(font, EPUB)).text).toMatch(/needle/);
    await expect(parse(book({ 'META-INF/container.xml': '<container/>' }), EPUB)).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
    });
    await expect(parse(book().subarray(0, 500), EPUB)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  });
});
