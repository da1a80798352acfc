import { describe, expect, it } from '@jest/globals';
import { readPage, withEmbeddedPage } from './read-page.js';

const URL = 'https://example.org/prices/';
const PROSE = 'We let rowing boats from April to October, with life jackets for all. '.repeat(5);
const TARIFF = `<!doctype html><html><head><title>Table</title></head><body><nav><a href="/">Home</a></nav>
  <main><h2>Rowing &amp; sailing</h2><p class="a">A boat costs "nine" euros.</p><a href="old.html">Before</a></main></body></html>`;

describe('embedded documents', () => {
  const found: readonly (readonly [title: string, html: string, url: string | null])[] = [
    [
      'a frame',
      '<h1>Prices</h1><iframe src="tariff.html"></iframe>',
      'https://example.org/prices/tariff.html',
    ],
    [
      'an object with a fallback',
      '<object data="/t" type="text/html">No frames</object>',
      'https://example.org/t',
    ],
    ['an embed', '<main><embed src="t.html"></main>', 'https://example.org/prices/t.html'],
    ['a set of one frame', '<frameset><frame src="//example.org/t"></frameset>', 'https://example.org/t'],
    [
      'the same frame twice',
      '<iframe src="/t"></iframe><iframe src="/t#2"></iframe>',
      'https://example.org/t',
    ],
    [
      'a frame beside a menu',
      `<nav>${PROSE}</nav><iframe src="/t"></iframe><footer>${PROSE}</footer>`,
      'https://example.org/t',
    ],
    [
      'a frame beside a small and a hidden one',
      '<iframe src=/a width=1 height=1></iframe><iframe src=/b hidden></iframe><div style="display:none"><iframe src=/c></iframe></div><iframe src=/t>',
      'https://example.org/t',
    ],
    ['frames of other hosts', '<iframe src="https://maps.example/x"></iframe>', null],
    ['two frames', '<iframe src="/a"></iframe><iframe src="/b"></iframe>', null],
    ['a page with text', `<p>${PROSE}</p><iframe src="/t"></iframe>`, null],
    ['a file', '<embed src="/t.pdf"><object data="/film" type="video/mp4"></object>', null],
    ['a page in itself', '<iframe src="/prices/#x"></iframe>', null],
    ['no address', '<iframe src="about:blank"></iframe><iframe></iframe>', null],
  ];
  for (const [title, html, url] of found) {
    it(`finds ${title}`, async () => {
      const { facts } = await readPage(html, { url: URL });
      expect(facts.embedded?.url ?? null).toBe(url);
    });
  }

  it('reads an embedded page as a part of its page, with its links', async () => {
    for (const [html, text] of [
      [
        '<main><h1>Prices</h1><iframe src=tariff.html title=x></iframe><p>Cash only.</p></main>',
        'Prices\n\nRowing & sailing\n\nA boat costs "nine" euros.\n\nBefore\n\nCash only.',
      ],
      ['<object data="tariff.html"></object>', 'Rowing & sailing\n\nA boat costs "nine" euros.\n\nBefore'],
      [
        '<frameset><frame src="tariff.html"></frameset>',
        'Rowing & sailing\n\nA boat costs "nine" euros.\n\nBefore',
      ],
    ] as const) {
      const bytes = Buffer.from(`<title>Boats</title>${html}`);
      const { facts } = await readPage(bytes, { url: URL });
      const offset = facts.embedded?.offset ?? 0;
      const embedded = {
        bytes: Buffer.from(TARIFF),
        contentType: 'text/html',
        url: `${URL}tariff.html`,
        offset,
      };
      const combined = await withEmbeddedPage(bytes, 'text/html', embedded);
      const page = await readPage(combined, { url: URL });
      expect(page.document?.text).toBe(text);
      expect(page.facts.embedded).toBeNull();
      expect(page.facts.links.map(({ url }) => url)).toEqual([
        'https://example.org/',
        'https://example.org/prices/old.html',
      ]);
    }
  });

  it('reads the document of srcdoc, and none of a hidden frame', async () => {
    const html = `<main><p>Before.</p><iframe srcdoc="<p>Tide: &amp;lt; 2 m.</p>" src="/t"></iframe>
      <iframe srcdoc="<p>Counted</p>" style="display:none"></iframe><iframe srcdoc="Tiny" width="1"></iframe><p>After.</p></main>`;
    const { document, facts } = await readPage(html, { url: URL });
    expect(document?.text).toBe('Before.\n\nTide: < 2 m.\n\nAfter.');
    expect(facts.links).toEqual([]);
  });

  it('are read whole, however many lines they have', async () => {
    const lines = 'x<br>'.repeat(150_000);
    const page = await readPage(Buffer.from(`<h1>Lines</h1><iframe srcdoc="${lines}"></iframe>`), {
      url: URL,
    });
    expect(page.document?.text.match(/x/g)?.length).toBe(150_000);
  });
});
