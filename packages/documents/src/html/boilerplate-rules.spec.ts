import { describe, expect, it } from '@jest/globals';
import { readPage } from './read-page.js';

/** More than a small part of a page. */
const PROSE =
  'The kettle boils a litre of water in three minutes, and the lid stays closed meanwhile. '.repeat(15);
const OTHER = 'Hard water leaves lime on the plate, and citric acid removes it within half an hour. '.repeat(
  4,
);
const LONG_CODE = 'kettle.descale(minutes=20)\n'.repeat(12);

const comment = (name: string): string =>
  `<li class="comment"><cite class="author">${name}</cite> <time>May</time><p>Reply of ${name}. ${OTHER}</p></li>`;
const teaser = (title: string): string =>
  `<li><a href="/${title}">Teaser about ${title} and more</a><p>Summary of ${title}. ${OTHER.slice(0, 150)}</p></li>`;

interface Rule {
  readonly title: string;
  readonly html: string;
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

/** The element is inside of `main`, in an article, or in the element with most of the text. */
const AROUND: readonly ((html: string) => string)[] = [
  (html) => `<main><h1>Kettle</h1><p>${PROSE}</p>${html}</main>`,
  (html) => `<article><h1>Kettle</h1><p>${PROSE}</p>${html}</article>`,
  (html) => `<div id="page"><div class="text"><h1>Kettle</h1><p>${PROSE}</p>${html}</div><p>Other</p></div>`,
];

const RULES: readonly Rule[] = [
  {
    title: 'prose whose class says comment, banner, sidebar, related, share or ad',
    html: ['comment', 'banner modal', 'sidebar', 'related', 'share', 'ad', 'newsletter', 'toolbar', 'tags']
      .map((name) => `<div class="tsd-${name}"><p>Text of ${name}. ${OTHER}</p></div>`)
      .join(''),
    has: [
      'comment',
      'banner modal',
      'sidebar',
      'related',
      'share',
      'ad',
      'newsletter',
      'toolbar',
      'tags',
    ].map((name) => `Text of ${name}.`),
  },
  {
    title: 'examples in comments, without the code that pdoc embeds',
    html: `<div class="pdoc-code codehilite"><pre>${LONG_CODE}</pre></div>
      <div class="docstring"><p>Boils.</p><div class="pdoc-code codehilite"><pre>kettle.boil()</pre></div></div>`,
    has: ['Boils.', 'kettle.boil()'],
    hasNot: ['kettle.descale'],
  },
  {
    title: 'a short documentation comment',
    html: '<div class="tsd-comment"><p>Rings the <a href="/bell">bell</a>.</p></div>',
    has: ['Rings the bell.'],
  },
  {
    title: 'sections of functions that are called subscribe, login and share',
    html: ['subscribe', 'login', 'share']
      .map((name) => `<section id="${name}"><div>Signature: ${name}(): void</div></section>`)
      .join(''),
    has: ['Signature: subscribe', 'Signature: login', 'Signature: share'],
  },
  {
    title: 'lists of links without a hint',
    html: `<ul>${['heater', 'lid', 'plate', 'spout'].map((name) => `<li><a href="/${name}">Type ${name}</a></li>`).join('')}</ul>`,
    has: ['Type heater', 'Type spout'],
  },
  {
    title: 'no list with the title of related articles',
    html: `<section><h3>You may also like</h3><a href="/lid">Lids of glass</a> <a href="/tea">Teas from Assam</a></section>
      <section><h3>More fields</h3><p>Watts of the heater: see <a href="/heater">heaters</a> and <a href="/plate">plates</a>.</p></section>`,
    has: ['Watts of the heater'],
    hasNot: ['You may also like', 'Teas from Assam'],
  },
  {
    title: 'the source of a declaration',
    html: '<aside class="tsd-sources"><p>Defined in <a href="/kettle.ts">kettle.ts:4</a></p></aside>',
    has: ['Defined in kettle.ts:4'],
  },
  {
    title: 'reader comments, also if they are longer than the article',
    html: `<div id="comments"><h3>Three replies</h3><ol>${comment('Ann')}${comment('Bob')}${comment('Cem')}</ol></div>`,
    hasNot: ['Three replies', 'Reply of Ann', 'Reply of Cem'],
  },
  {
    title: 'a form for comments',
    html: '<div id="respond"><h3>Leave a reply</h3><input name="author"><textarea></textarea></div>',
    hasNot: ['Leave a reply'],
  },
  {
    title: 'related articles with summaries',
    html: `<div class="related-posts"><h3>Read on</h3><ul>${teaser('tea')}${teaser('coffee')}${teaser('soup')}</ul></div>`,
    hasNot: ['Read on', 'Teaser about tea', 'Summary of soup'],
  },
  {
    title: 'an aside with a list of teasers',
    html: `<aside>${['tea', 'coffee', 'soup'].map((name) => `<a href="/${name}">A rather long title of another article that recommends ${name}</a>`).join('')}</aside>`,
    hasNot: ['recommends tea'],
  },
  {
    title: 'buttons that copy',
    html: `<h2>Run <button>Copy item path</button></h2>
      <div><div class="highlight"><pre>${LONG_CODE}</pre></div><clipboard-copy class="copybtn">Copied!</clipboard-copy><button class="copy">Copy</button></div>`,
    has: ['Run', 'kettle.descale'],
    hasNot: ['Copy', 'Copied'],
  },
  {
    title: 'line numbers in a column of their own, and before each line',
    html: `<table class="highlighttable"><tr><td class="linenos"><pre>41\n42</pre></td><td class="code"><pre>boil()\nrinse()</pre></td></tr></table>
      <pre><span class="lineno">43</span>weigh()</pre>`,
    has: ['boil()\nrinse()', 'weigh()'],
    hasNot: ['41', '42', '43'],
  },
  {
    title: 'links to edit the page, cookie notices and newsletters',
    html: `<a class="edit-page" href="/edit">Edit this page</a><div class="cookie-notice">We use cookies.</div>
      <div class="newsletter-box">Get our news by mail.</div>`,
    hasNot: ['Edit this', 'cookies', 'by mail'],
  },
  {
    title: 'permalinks of headings, paragraphs and list items',
    html: `<h2>Rinse<a href="#rinse">¶</a></h2><p>Cold water.<a class="anchor" href="#p1">#</a></p>
      <ul><li>Twice.<a href="#li">§</a></li></ul><p>See <a href="#up">it</a></p>`,
    has: ['Rinse', 'Cold water.', 'Twice.', 'See it'],
    hasNot: ['¶', '#', '§'],
  },
  {
    title: 'short boxes whose class sounds like an advertisement',
    html: [
      'ad',
      'promo',
      'sponsored',
      'promo-box',
      'banner',
      'overlay',
      'tags',
      'card-footer',
      'callout',
      'note',
      'rail',
    ]
      .map((name) => `<div class="${name}">Fact of ${name}.</div>`)
      .join(''),
    has: [
      'ad',
      'promo',
      'sponsored',
      'promo-box',
      'banner',
      'overlay',
      'tags',
      'card-footer',
      'callout',
      'note',
      'rail',
    ].map((name) => `Fact of ${name}.`),
  },
  {
    title: 'flags of a member as words beside it',
    html: `<h3><code class="tsd-tag">Optional</code><code class="tsd-tag ts-flagReadonly">Readonly</code><span>lid</span></h3>
      <h4><span class="tsd-flag ts-flagExternal">External</span>spout</h4><h4>heat<span class="VPBadge warning">beta</span></h4>
      <h4 class="sig">boil()<span class="since">1.2</span><span class="stab deprecated">Deprecated</span></h4><p>rinse<span class="sd-badge">since 2.0</span></p>`,
    has: ['Optional Readonly lid', 'External spout', 'heat beta', 'boil() 1.2 Deprecated', 'rinse since 2.0'],
  },
  {
    title: 'the question of a frequently asked question, which is a button',
    html: '<h3><button>Is it safe?</button></h3><p>It is.</p>',
    has: ['Is it safe?', 'It is.'],
  },
];

describe('boilerplate in the content', () => {
  for (const { title, html, has = [], hasNot = [] } of RULES) {
    it(title, async () => {
      for (const around of AROUND) {
        const { document } = await readPage(around(html), { url: 'https://example.org/' });
        for (const text of has) expect(document?.text).toContain(text);
        for (const text of hasNot) expect(document?.text).not.toContain(text);
      }
    });
  }

  it('removes a footer that is longer than the article, and keeps one that is the whole page', async () => {
    const footer = (name: string): string => `<${name} class="footer"><p>${OTHER}</p></${name}>`;
    const textOf = async (html: string): Promise<string | undefined> =>
      (await readPage(html, { url: 'https://example.org/' })).document?.text;
    const article = `<div><h1>Kettle</h1><p>${OTHER.slice(0, 200)}</p></div>`;
    for (const name of ['div', 'footer']) {
      expect(await textOf(article + footer(name))).not.toContain(OTHER.trim());
      expect(await textOf(footer(name))).toContain('Hard water');
    }
  });

  it('keeps footnotes in a footer of marked content, and no links', async () => {
    const html = `<p>Tariff*</p><footer><p>* With tax, without <a href="/post">post</a> and packing.</p></footer>
      <footer><a href="/a">About us</a> <a href="/b">Imprint</a></footer>`;
    for (const around of AROUND.slice(0, 2)) {
      const { document } = await readPage(around(html), { url: 'https://example.org/' });
      expect(document?.text).toMatch(/Tariff\*\n\n\* With tax, without post and packing\.$/);
    }
  });

  it('keeps the notes of a footer that the content refers to, without the rest of the footer', async () => {
    const imprint =
      '<p>© 2026 Kettle Works</p><ul><li><a href="/a">About us</a></li><li><a href="/b">Imprint</a></li></ul>';
    for (const [mark, note] of [
      ['*', '<p>* With tax.</p>'],
      ['<sup>2</sup>', '<small><sup>2</sup> With tax.</small>'],
      ['[3]', '<ol><li>[3] With tax.</li></ol>'],
      ['<a href="#n1">1</a>', '<ol><li id="n1">With tax.</li></ol>'],
      ['²', '² With tax.'],
      ['†', '<div><div>† With tax.</div><div>No mark</div></div>'],
    ]) {
      const rest = note?.startsWith('²') === true ? '' : imprint;
      const text = `<h1>Kettle</h1><p>${PROSE}</p><p>Tariff${mark}</p>`;
      for (const html of [
        `<main>${text}</main><footer>${note}${rest}</footer>`,
        `${text}<footer>${note}${rest}</footer>`,
        `<div id="page"><div class="text">${text}</div><div class="footer"><div>${note}</div>${rest}</div></div>`,
        `<div class="text">${text}<footer>${rest}${note}</footer></div>`,
      ]) {
        const { document } = await readPage(html, { url: 'https://example.org/' });
        expect([html, document?.text.match(/Tariff[\s\S]*/)?.[0]]).toEqual([
          html,
          expect.stringMatching(/^Tariff\S{1,3}\n\n(?:- |1\. )?(?:\S{1,3} ?)?With tax\.$/),
        ]);
      }
    }
    const { document } = await readPage(
      `<p>${PROSE}</p><footer><p>* Not referred to.</p><a href="#top">1</a></footer>`,
      {
        url: 'https://example.org/',
      },
    );
    expect(document?.text).not.toContain('Not referred');
  });

  it('keeps a list of headlines only in marked content', async () => {
    const list = ['one', 'two', 'three'].map(
      (name) => `<p><a href="/${name}">Headline ${name} of another long article</a></p>`,
    );
    const isKept = await Promise.all(
      AROUND.map(async (around) => {
        const page = await readPage(around(`<div>${list.join('')}</div>`), { url: 'https://example.org/' });
        return page.document?.text.includes('Headline three');
      }),
    );
    expect(isKept).toEqual([true, false, false]);
  });

  it('leaves out short summaries of other articles beside the content, and keeps them if there is little else', async () => {
    const teasers = ['tea', 'soup', 'rice'].map(
      (name) =>
        `<div><a href="/${name}">Headline ${name} of another article</a><p>It cooks ${name} slowly.</p></div>`,
    );
    const isKept = await Promise.all(
      [PROSE, 'The kettle boils.'].map(async (prose) => {
        const html = `<div class="text"><p>${prose}</p></div><div class="grid">${teasers.join('')}</div>`;
        const { document } = await readPage(html, { url: 'https://example.org/' });
        return document?.text.includes('cooks soup');
      }),
    );
    expect(isKept).toEqual([false, true]);
  });

  it('keeps the replies of a thread without an article', async () => {
    const html = `<h1>Does it boil?</h1><div id="comments"><ol>${comment('Ann')}${comment('Bob')}</ol></div>`;
    const { document } = await readPage(html, { url: 'https://example.org/' });
    expect(document?.text).toContain('Reply of Bob');
  });
});
