import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../document/document.js';
import { PAGES } from './pages.fixtures.js';
import { pageTitle, readPage, type TitleSources } from './read-page.js';

const URL_OF_PAGE = 'https://example.org/guide/page';

async function documentOf(html: string): Promise<Document> {
  const { document } = await readPage(html, { url: URL_OF_PAGE });
  assert.ok(document, 'the page has text');
  return document;
}

function anchorsOf(document: Document): (readonly [string, string | undefined])[] {
  return document.blocks.map((block) => [document.text.slice(block.start, block.end), block.anchor]);
}

describe('readPage', () => {
  it('rejects a page whose tree might not fit into memory', async () => {
    const html = '<p>'.repeat(2_500_001);
    await expect(readPage(html, { url: URL_OF_PAGE })).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  for (const page of PAGES) {
    it(`reads ${page.kind}`, async () => {
      const { document } = await readPage(Buffer.from(page.html), { url: page.url });
      assert.ok(document);
      expect(document.title).toBe(page.title);
      expect(document.language).toBe(page.language);
      const headings = document.blocks.filter(({ kind }) => kind === 'heading');
      expect(
        headings.map(({ level, start, end, anchor }) => [
          level,
          document.text.slice(start, end),
          ...(anchor === undefined ? [] : [anchor]),
        ]),
      ).toEqual(page.headings);
      for (const text of page.has) expect(document.text).toContain(text);
      for (const text of page.hasNot) expect(document.text).not.toContain(text);
    });
  }

  it('gives each block an anchor', async () => {
    const document = await documentOf(`<main><h1>T</h1><p>top</p>
      <section id="s1"><h2>One</h2><p>a</p><div id="box"><p>b</p></div><p>c</p></section><p>d</p>
      <a id="s2"></a><h2>Two</h2><p>e</p>
      <div class="heading"><h3>Three</h3><a class="anchor" id="three" href="#three"></a></div><p>f</p><ul><li id="item">g</li></ul>
      <h2><a name="old">Four</a></h2><p>h</p></main>`);
    expect(anchorsOf(document)).toEqual([
      ['T', undefined],
      ['top', undefined],
      ['One', 's1'],
      ['a', 's1'],
      ['b', 'box'],
      ['c', 's1'],
      ['d', 's1'],
      ['Two', 's2'],
      ['e', 's2'],
      ['Three', 'three'],
      ['f', 'three'],
      ['- g', 'item'],
      ['Four', 'old'],
      ['h', 'old'],
    ]);
  });

  it('gives each post of a thread its own anchor', async () => {
    const forum = PAGES.find(({ kind }) => kind.startsWith('forum'));
    assert.ok(forum);
    const places = anchorsOf(await documentOf(forum.html));
    expect(places.find(([text]) => text.startsWith('Проверьте'))?.[1]).toEqual('post-2');
    expect(places.find(([text]) => text.startsWith('Спасибо'))?.[1]).toEqual('post-3');
  });

  it('keeps menus on a page of menus, and text when all of it is marked as a menu', async () => {
    const links = Array.from({ length: 20 }, (_, n) => `<li><a href="/${n}">Chapter ${n}</a></li>`).join('');
    expect((await documentOf(`<body><ul>${links}</ul></body>`)).text).toMatch(/Chapter 19/);
    expect((await documentOf(`<nav><p>All of it is in here.</p></nav>`)).text).toMatch(/All of it/);
  });

  it('does not mistake a section about comments or pagination for boilerplate', async () => {
    const prose = 'Enough other text that nothing here is most of the page. '.repeat(5);
    const { text } = await documentOf(`<div><header><h2>Reference</h2></header><p>${prose}</p>
      <section id="pagination"><h2>Pagination</h2><p>Pages have numbers.</p></section>
      <div id="comments"><h3>Comments <a href="#comments">#</a></h3><p>They begin with a sign.</p></div>
      <table><tr><th>Name</th><th class="comment">Comment</th></tr><tr><td>a</td><td class="comment">first</td></tr></table></div>`);
    for (const kept of ['Reference', 'Pages have', 'They begin', 'Name | Comment\na | first'])
      expect(text).toContain(kept);
  });

  it('detects the character set from the header, the page and the bytes', async () => {
    const russian = Buffer.from('<p>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!</p>', 'latin1');
    const read = async (bytes: Uint8Array, contentType: string): Promise<string | undefined> =>
      (await readPage(bytes, { url: URL_OF_PAGE, contentType })).document?.text;
    expect(await read(russian, 'text/html; charset=windows-1251')).toBe('Привет, мир!');
    const declared = Buffer.concat([Buffer.from('<meta charset=cp1251>'), russian]);
    expect(await read(declared, 'text/html; charset=utf-8')).toBe('Привет, мир!');
    expect(await read(Buffer.from('\ufeff<p>Grüß', 'utf16le'), 'text/html')).toBe('Grüß');
  });

  it('reads XHTML as XML only when it is served as such', async () => {
    const xhtml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><script src="x"/><p>&auml;<![CDATA[<b>]]></p></body></html>';
    const served = async (contentType: string): Promise<string | undefined> =>
      (await readPage(xhtml, { url: URL_OF_PAGE, contentType })).document?.text;
    expect(await served('application/xhtml+xml')).toBe('ä<b>');
    // The script is open until the end.
    expect(await served('text/html')).toBeUndefined();
  });

  it('never throws, and every block is a slice of the text', async () => {
    const tag = fc.constantFrom(
      ...'a b br div dl dt dd h1 h2 head html body img li math ol p pre q ruby rt script span sup svg table td th title tr ul xmp'.split(
        ' ',
      ),
    );
    const piece = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      tag.map((name) => `<${name} id="x" href="#x" class="nav comment" colspan=3 rowspan=2 hidden`),
      fc.string(),
      fc.constantFrom('&amp;', '&#0;', '<!--', '-->', '<![CDATA[', ']]>', '\0', '\ud800', ' word '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { document } = await readPage(pieces.join(''), { url: URL_OF_PAGE });
        let end = 0;
        for (const block of document?.blocks ?? []) {
          expect(block.start).toBeGreaterThanOrEqual(end);
          expect(block.end).toBeGreaterThan(block.start);
          expect(block.end).toBeLessThanOrEqual(document?.text.length ?? 0);
          end = block.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps all visible words in order with keepBoilerplate', async () => {
    let words = 0;
    const word = fc.constant(null).map(() => ` w${(words += 1)} `);
    const tags =
      'a article aside b blockquote center div em footer header i li main nav ol p pre section span td tr table ul u'.split(
        ' ',
      );
    const piece = fc.oneof(
      { weight: 2, arbitrary: word },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...tags).map((name) => `<${name} class="menu cookie-banner">`),
      },
      { weight: 1, arbitrary: fc.constantFrom(...tags).map((name) => `</${name}>`) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 60 }), async (pieces) => {
        const { document } = await readPage(pieces.join(''), { url: URL_OF_PAGE, keepBoilerplate: true });
        const expected = pieces.join('').match(/\bw\d+/g) ?? [];
        expect(document?.text.match(/\bw\d+/g) ?? []).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

const NOTHING: TitleSources = {
  title: undefined,
  social: undefined,
  siteName: undefined,
  heading: undefined,
  url: undefined,
};

describe('pageTitle', () => {
  const cases: readonly (readonly [sources: Partial<TitleSources>, title: string | undefined])[] = [
    [{ title: 'Descaling | Kettle Docs', heading: 'Descaling' }, 'Descaling'],
    [{ title: 'Kettle Docs: Descaling', heading: 'Descaling' }, 'Descaling'],
    [{ title: 'Descaling - A guide - Kettle', social: 'Descaling - A guide' }, 'Descaling - A guide'],
    [{ title: 'Descaling — Kettle Docs', siteName: 'Kettle docs' }, 'Descaling'],
    [{ title: 'Descaling | Graphile Worker', url: 'https://worker.graphile.org/x' }, 'Descaling'],
    [{ title: '新标准_每日新闻', siteName: '每日新闻' }, '新标准'],
    [{ title: 'Tea - and coffee', heading: 'Drinks' }, 'Tea - and coffee'],
    [{ title: 'Well-known facts', heading: 'Well' }, 'Well-known facts'],
    [{ title: ' \n', social: 'Shared', heading: 'Heading' }, 'Shared'],
    [{ heading: 'Heading' }, 'Heading'],
    [{}, undefined],
  ];
  for (const [sources, title] of cases) {
    it(JSON.stringify(sources), () => expect(pageTitle({ ...NOTHING, ...sources })).toBe(title));
  }
});
