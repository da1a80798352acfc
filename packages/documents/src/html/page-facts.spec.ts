import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PageFacts } from './page-facts.js';
import { readPage } from './read-page.js';

const URL_OF_PAGE = 'https://example.org/guide/page?x=1';

async function factsOf(html: string, maxLinks?: number): Promise<PageFacts> {
  const options = maxLinks === undefined ? {} : { maxLinks };
  return (await readPage(html, { url: URL_OF_PAGE, ...options })).facts;
}

async function linksOf(html: string): Promise<string[]> {
  return (await factsOf(html)).links.map(({ url, nofollow }) => (nofollow ? `${url} nofollow` : url));
}

describe('facts of a page', () => {
  it('lists distinct absolute links without fragments from the whole page', async () => {
    expect(
      await linksOf(`<nav hidden><a href="/a">A</a></nav><a href="b#x">B</a><a href="./b#y" rel=nofollow>B</a><map><area href="?c"></map>
        <a href="//other.example/d">D</a><a href="mailto:x@example.org">E</a><a href="javascript:f()">F</a><a href="http://">G</a><a>H</a>
        <a href="/ugc" rel="external ugc">I</a><template><a href="/t">T</a></template><a href="#top">top</a>`),
    ).toEqual([
      'https://example.org/a',
      'https://example.org/guide/b',
      'https://example.org/guide/page?c',
      'https://other.example/d',
      'https://example.org/ugc nofollow',
      'https://example.org/guide/page?x=1',
    ]);
  });

  it('resolves links against the base and includes frames', async () => {
    expect(await linksOf('<base href="/v2/"><base href="/v3/"><p><a href="x">')).toEqual([
      'https://example.org/v2/x',
    ]);
    const frames = '<frameset><frame src="menu.html"><frame src="/body.html"></frameset>';
    expect(await linksOf(frames)).toEqual([
      'https://example.org/guide/menu.html',
      'https://example.org/body.html',
    ]);
  });

  it('limits the number of links and reports it', async () => {
    const page = '<a href=1>1</a><a href=2>2</a><a href=1>1</a><a href=3>3</a>';
    expect((await factsOf(page, 2)).links.length).toEqual(2);
    expect((await factsOf(page, 2)).linksTruncated).toBe(true);
    expect((await factsOf(page, 3)).linksTruncated).toBe(false);
    const external = [1, 2, 3].map((n) => `<a href="https://other.example/${n}">${n}</a>`).join('');
    const { links, linksTruncated } = await factsOf(`${external}<a href=1>1</a><a href=2>2</a>`, 2);
    // External links do not displace internal ones.
    expect([links.length, linksTruncated]).toEqual([4, false]);
  });

  const canonicals: readonly (readonly [html: string, url: string | null])[] = [
    ['<link rel="canonical" href="/c#x">', 'https://example.org/c'],
    ['<link REL="Canonical" href="https://other.example/c">', 'https://other.example/c'],
    [
      '<link rel=canonical href=/c><link rel=canonical href="https://example.org/c">',
      'https://example.org/c',
    ],
    ['<link rel=canonical href=/c><link rel=canonical href=/d>', null],
    ['<p>text</p><link rel=canonical href=/injected>', null],
    ['<link rel=canonical href="">', 'https://example.org/guide/page?x=1'],
    ['<link rel=canonical href="ftp://example.org/">', null],
  ];
  for (const [html, url] of canonicals) {
    it(`canonical of ${html}`, async () => expect((await factsOf(html)).canonicalUrl).toBe(url));
  }

  const robots: readonly (readonly [html: string, noindex: boolean, nofollow: boolean])[] = [
    ['<meta name="robots" content="NOINDEX, follow">', true, false],
    ['<meta name="ROBOTS" content="none">', true, true],
    ['<meta name=robots content=index><meta name=robots content=nofollow>', false, true],
    ['<meta name="googlebot" content="noindex">', false, false],
    ['<meta name="robots" content="max-snippet:-1, noindexing">', false, false],
  ];
  for (const [html, noindex, nofollow] of robots) {
    it(`robots of ${html}`, async () => expect((await factsOf(html)).robots).toEqual({ noindex, nofollow }));
  }

  const refreshes: readonly (readonly [html: string, refresh: PageFacts['refresh']])[] = [
    [
      '<meta http-equiv="refresh" content="0; url=/new">',
      { delaySeconds: 0, url: 'https://example.org/new' },
    ],
    [
      `<meta http-equiv=Refresh content="5;URL='new page'">`,
      { delaySeconds: 5, url: 'https://example.org/guide/new%20page' },
    ],
    ['<meta http-equiv="refresh" content="1.5, /x">', { delaySeconds: 1, url: 'https://example.org/x' }],
    ['<meta http-equiv="refresh" content="30">', null],
    ['<meta http-equiv="refresh" content="0; url=https://example.org/guide/page?x=1">', null],
    ['<meta http-equiv="refresh" content="0; url=javascript:alert(1)">', null],
    ['<noscript><meta http-equiv="refresh" content="0; url=/no-scripts"></noscript>', null],
  ];
  for (const [html, refresh] of refreshes) {
    it(`refresh of ${html}`, async () => expect((await factsOf(html)).refresh).toEqual(refresh));
  }

  it('reads the header Refresh before the markup', async () => {
    const url = 'https://example.org/guide/page';
    const refreshTo = async (refreshHeader: string, html = '') =>
      (await readPage(`<p>Moved.</p>${html}`, { url, refreshHeader })).facts.refresh?.url;
    expect(await refreshTo('0; url=/new')).toBe('https://example.org/new');
    expect(await refreshTo('3;URL="../other"')).toBe('https://example.org/other');
    expect(await refreshTo('1; /new', '<meta http-equiv=refresh content="0; url=/meta">')).toBe(
      'https://example.org/new',
    );
    expect(await refreshTo('30')).toBeUndefined();
    expect(await refreshTo('')).toBeUndefined();
  });

  it('finds dates', async () => {
    const facts = await factsOf(
      `<meta property="article:published_time" content="2026-01-02T03:04:05+01:00"><script type="application/ld+json">{"dateModified": "2026-02-03"}</script>`,
    );
    expect(facts.publishedAt).toBe('2026-01-02T02:04:05.000Z');
    expect(facts.modifiedAt).toBe('2026-02-03T00:00:00.000Z');
    expect((await factsOf('<meta name=date content=today>')).publishedAt).toBeNull();
  });

  const text = 'A short page is a page even if it has analytics scripts. ';
  const menu = '<nav><a href="/a">Trips</a> <a href="/b">Prices</a></nav><footer>© Example</footer>';
  const shells: readonly (readonly [html: string, reason: PageFacts['needsRendering'], isShell: boolean])[] =
    [
      ['<div id="root"></div><script src="app.js"></script>', 'no-text', true],
      [
        '<app-root></app-root><script src="app.js"></script><footer>© Example</footer>',
        'empty-app-root',
        true,
      ],
      [`${menu}<div id="app"></div><script src="app.js"></script>`, 'empty-app-root', true],
      ['<app-root>Loading...</app-root><script src=a></script>', 'loading-screen', true],
      [
        `${menu}<div class="spinner">Seite wird geladen …</div><script src=a></script>`,
        'loading-screen',
        true,
      ],
      [
        '<h1>Just a moment...</h1><p>Checking your browser before you go on.</p><script></script>',
        'loading-screen',
        true,
      ],
      [
        '<div id="root">Please enable JavaScript to run this app.</div><script src=a></script>',
        'loading-screen',
        true,
      ],
      ['<p>読み込み中…</p><script src=a></script>', 'loading-screen', true],
      ['<p>Cargando</p>', 'loading-screen', true],
      ['<p>Loading Boat Hire.</p><p>Please wait.</p>', 'loading-screen', true],
      ['<p>Loading bay hire costs 95 EUR per day.</p>', null, false],
      ['<p>Loading bay hire costs 95 EUR per day.</p><script src=a></script>', 'short-text', false],
      ['<p>Laden Bern, Marktgasse 5. Laden Zürich, Seestrasse 9.</p>', null, false],
      ['<p>Chargement en cours, veuillez patienter…</p><script src=a></script>', 'loading-screen', true],
      [
        '<p>Opening soon.</p><noscript>You need to enable JavaScript.</noscript><script src=a></script>',
        'short-text',
        false,
      ],
      [
        '<ul><li><a href="/a">Trips</a></ul><noscript>Enable JavaScript.</noscript><script src=a></script>',
        'short-text',
        true,
      ],
      [`<nav>${text.repeat(9)}</nav><main></main><script src=a></script>`, 'empty-app-root', true],
      ['<script>document.write("x")</script>', 'no-text', true],
      [`<p>${text}</p><script src=stats.js></script>`, 'short-text', false],
      [`<p>${text}</p><script type="application/ld+json">{}</script>`, null, false],
      [`<p>${text.repeat(9)}</p><div id="root"></div><script src=a></script>`, 'empty-part', false],
      [
        `<div id="root"><p>Loading…</p></div><p>${text.repeat(9)}</p><script src=a></script>`,
        'empty-part',
        false,
      ],
      [`<p>${text.repeat(9)}</p><div id="ads"></div><script src=a></script>`, null, false],
      [`<h1>Loading dock</h1><p>${text.repeat(9)}</p><script src=a></script>`, null, false],
      ['<h1>Loading and unloading</h1><p>Vans may stop here for ten minutes.</p>', null, false],
      [`<p>${text}</p>`, null, false],
      ['<div id="root"></div>', null, false],
      [
        `<div id="root">${text.repeat(9)}</div><noscript>Enable JavaScript</noscript><script src=a></script>`,
        null,
        false,
      ],
    ];
  for (const [html, reason, shell] of shells) {
    it(`needsRendering is ${reason} for ${html.slice(0, 90)}`, async () => {
      const { needsRendering, isShell } = await factsOf(html);
      expect([needsRendering, isShell]).toEqual([reason, shell]);
    });
  }

  it('lists the addresses of scripts without queries', async () => {
    const { scripts } = await factsOf(
      '<script src="../app.js?v=1"></script><script>code()</script><script type="application/json">{}</script>',
    );
    expect(scripts).toEqual(['https://example.org/app.js', '']);
  });

  it('takes embedded documents as links', async () => {
    const { links } = await factsOf(
      '<iframe src="/frame"></iframe><embed src="/plan.pdf"><object data="/list.html"></object><iframe srcdoc="x"></iframe>',
    );
    expect(links.map(({ url }) => new URL(url).pathname)).toEqual(['/frame', '/plan.pdf', '/list.html']);
  });

  it('returns absolute http(s) URLs for any attributes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (base, href) => {
        const value = `${base.replaceAll('"', '')}`;
        const { links, baseUrl } = await factsOf(
          `<base href="${value}"><a href="${href.replaceAll('"', '')}">x</a><meta http-equiv=refresh content="${value}">`,
        );
        for (const { url } of links) expect(url).toMatch(/^https?:\/\/[^#]*$/);
        expect(baseUrl).toMatch(/^https?:/);
      }),
      { numRuns: 300 },
    );
  });
});
