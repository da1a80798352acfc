import { describe, expect, it } from '@jest/globals';
import { readPage } from './read-page.js';

const PROSE = Array.from(
  { length: 9 },
  (_value, index) => `<p>Route ${index}: the plough drives before the first bus leaves the depot.</p>`,
).join('');
const ROWS = Array.from(
  { length: 30 },
  (_value, index) => `<tr><td>Plank of oak, type ${index}</td><td>${index}.50 EUR</td></tr>`,
).join('');
const menu = (links: number): string =>
  `<nav>${Array.from({ length: links }, (_value, index) => `<a href="/${index}">Entry ${index}</a>`).join('')}</nav>`;
const FOOTER = '<footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>';

interface Case {
  readonly title: string;
  readonly html: string;
  readonly has: readonly string[];
  readonly hasNot?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'heading, validity and delivery of a price list without navigation',
    html: `<div><div class="v">Valid from March</div><h2>Prices</h2><div class="t"><table>${ROWS}</table></div><div class="s">Delivery: 12 EUR</div></div>`,
    has: ['Valid from March', 'Prices', 'Delivery: 12 EUR'],
  },
  {
    title: 'the same beside a menu',
    html: `${menu(40)}<div><h2>Prices</h2><div class="v">Valid from March</div><div class="t"><table>${ROWS}</table></div><div class="s">Delivery: 12 EUR</div></div>${FOOTER}`,
    has: ['Prices', 'Valid from March', 'Delivery: 12 EUR'],
    hasNot: ['Entry 1', 'Imprint'],
  },
  {
    title: 'a letter before its signatories',
    html: `Quarter of the lake<p>We ask for a crossing.</p><ul>${'<li>A resident of the street of the lake</li>'.repeat(50)}</ul><p>Answer by May.</p>`,
    has: ['Quarter of the lake', 'We ask for', 'Answer by May'],
  },
  {
    title: 'headline and lead in a header far from the text',
    html: `<header><a href="/">Town</a>${menu(20)}<div><h1>Bridge closed</h1><p>From Monday.</p></div></header><div><main>${PROSE}</main></div>${FOOTER}`,
    has: ['Bridge closed', 'From Monday.'],
    hasNot: ['Entry 1', 'Imprint', 'Town'],
  },
  {
    title: 'lead and closing text in an article',
    html: `${menu(20)}<article><h1>Ferry</h1><p>Cheaper in May.</p><div class="entry">${PROSE}</div><footer>Call 041 555.</footer></article>${FOOTER}`,
    has: ['Ferry', 'Cheaper in May.', 'Call 041 555.'],
    hasNot: ['Entry 1', 'Imprint'],
  },
  {
    title: 'closing text with a link beside marked content',
    html: `${menu(20)}<main><h1>Ferry</h1>Lead text<article>${PROSE}</article><p>Complaints go to <a href="/office">the office</a> within ten days.</p></main>`,
    has: ['Lead text', 'Complaints go to the office'],
  },
  {
    title: 'short sections beside a long one',
    html: `${menu(20)}<div><div class="sec"><h2>Routes</h2>${PROSE}</div><div class="sec last"><h2>Costs</h2><p>Each trip costs 4 EUR, see <a href="/t">terms</a>.</p></div></div>`,
    has: ['Costs', '4 EUR'],
  },
  {
    title: 'sections beside marked content, with a link and further away',
    html: `${menu(20)}<div><main><h1>Ferry</h1>${PROSE}</main><section><h2>Fares</h2><p>Ask <a href="/office">the office</a> at the quay for tickets.</p></section>
        <section><h2>Contact</h2><p><a href="mailto:ferry@example.org">ferry@example.org</a></p></section></div>
      <div><div><h2>In winter</h2><p>The ferry stays in the harbour, and a bus drives around the lake.</p></div></div><div><div><h2>Towns</h2><p><a href="/a">Arth and its harbour</a> <a href="/b">Brunnen and its beach</a></p></div></div>`,
    has: ['Fares\n\nAsk the office', 'Contact\n\nferry@', 'In winter\n\nThe ferry stays'],
    hasNot: ['Arth'],
  },
  {
    title: 'nothing before the headline, and no heading that links to the home page',
    html: `<h1><a href="/">Town news</a></h1>${menu(20)}<div class="promo">Read us daily.</div><div><div class="head"><h1>Bridge closed</h1></div><div class="text">${PROSE}</div></div><div class="w"><a href="/a">More news of the town</a></div>`,
    has: ['Bridge closed'],
    hasNot: ['Town news', 'Read us', 'More news'],
  },
  {
    title: 'no heading of links that are left out, and headings with pictures or text below',
    html: `${menu(20)}<main><h1>Ferry</h1>${PROSE}<h2>Map</h2><img src="map.png"><h2>Prices</h2><h3>Adults</h3><p>4 EUR</p><h2>Other pages</h2><nav><a href="/x">Bus</a></nav></main>`,
    has: ['Map', 'Prices', 'Adults'],
    hasNot: ['Other pages', 'Bus'],
  },
];

describe('main content', () => {
  for (const { title, html, has, hasNot = [] } of CASES) {
    it(`has ${title}`, async () => {
      const { document } = await readPage(`<body>${html}</body>`, { url: 'https://example.org/' });
      for (const text of has) expect(document?.text).toContain(text);
      for (const text of hasNot) expect(document?.text).not.toContain(text);
    });
  }

  it('has text beside the content that has no element of its own', async () => {
    const html = `${menu(20)}Site of the town<div><div><h1>Ferry</h1><div><div>${PROSE}</div></div></div></div>`;
    const { document } = await readPage(html, { url: 'https://example.org/' });
    expect(document?.text).toContain('Site of the town');
  });
});
