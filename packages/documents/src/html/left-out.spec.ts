import { describe, expect, it } from '@jest/globals';
import { readPage } from './read-page.js';

const PROSE = '<p>The ferry leaves at nine and takes forty minutes to the island.</p>';

interface Case {
  readonly title: string;
  readonly html: string;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly text: string;
}

const CASES: readonly Case[] = [
  {
    title: 'menus, footers and buttons',
    html: `<nav><a href="/">Home</a></nav><main><h1>Ferry</h1>${PROSE}<button>Print</button></main><footer>Imprint</footer>`,
    leftOut: { navigation: 'Home Print Imprint'.length },
    text: 'Ferry\n\nThe ferry leaves at nine and takes forty minutes to the island.',
  },
  {
    title: 'hidden text',
    html: `<main>${PROSE}<p>Ports<span class="sr-only">of the ferry.</span></p><div hidden>Saved.</div><template>Row</template></main>`,
    leftOut: { hidden: 'of the ferry. Saved.'.length },
    text: 'The ferry leaves at nine and takes forty minutes to the island.\n\nPorts',
  },
  {
    title: 'deletions, in any form',
    html: `<main>${PROSE}<p>Adults <del>8 €</del> 9 €, <s>pets</s> bikes <strike>2</strike> 3 €</p>
      <p>Cars <span style="text-decoration: line-through red">20</span> 25 €</p><p>Vans <b class="line-through">30</b> 35 €</p></main>`,
    leftOut: { deleted: '8 € pets 2 20 30'.length },
    text: 'The ferry leaves at nine and takes forty minutes to the island.\n\nAdults 9 €, bikes 3 €\n\nCars 25 €\n\nVans 35 €',
  },
  {
    title: 'nothing of a deletion that is not closed',
    html: `<main><p>Ferry</p><s><div>${PROSE}</div></main>`,
    leftOut: {},
    text: 'Ferry\n\nThe ferry leaves at nine and takes forty minutes to the island.',
  },
  {
    title: 'nothing that is on the page twice',
    html: `<main>${PROSE}<div hidden>${PROSE}</div></main>`,
    leftOut: {},
    text: 'The ferry leaves at nine and takes forty minutes to the island.',
  },
];

describe('text of a page that is left out', () => {
  for (const { title, html, leftOut, text } of CASES) {
    it(`counts ${title}`, async () => {
      const { document } = await readPage(html, { url: 'https://example.org/' });
      expect([document?.text, document?.leftOut]).toEqual([text, leftOut]);
    });
  }
});

describe('the warning of a page', () => {
  const comments = (count: number): string =>
    `<div class="comments">${'<div class="comment"><span class="author">Kim</span><time>May</time><p>We waited for the ferry in the rain for two hours, and were very cold when it came at noon.</p></div>'.repeat(count)}</div>`;

  it.each([
    ['none for menus and a few comments', `<nav>${'<p>Ports of the ferry</p>'.repeat(50)}</nav>`, 0],
    ['one for comments that are longer than the text', comments(60), 1],
  ])('%s', async (_, beside, warnings) => {
    const page = `<h1>Ferry</h1><main>${PROSE.repeat(24)}</main>${beside}`;
    const { document } = await readPage(page, { url: 'https://ferry.example/' });
    expect(document?.warnings.filter(({ code }) => code === 'MOSTLY_LEFT_OUT')).toHaveLength(warnings);
  });
});
