import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { AllowedLinks, LinkStreamFilter } from './link-stream.filter.js';

const links = new AllowedLinks([
  'See https://docs.example/page (or www.help.example).',
  'https://wiki.example/A_(b)',
]);

function filterAnswer(answer: string): string {
  const filter = new LinkStreamFilter(links);
  return filter.push(answer) + filter.flush();
}

/** What a Markdown reader would load, link to, or insert as HTML. */
function activeParts(markdown: string): string[] {
  const active: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === 'link') active.push(node.url);
    if (['image', 'imageReference', 'linkReference', 'definition', 'html'].includes(node.type))
      active.push(node.type);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(unified().use(remarkParse).use(remarkGfm).parse(markdown));
  return active;
}

const cases: readonly [name: string, answer: string, text?: string][] = [
  ['keeps plain text', 'Yes: a < b, c! [1] (see [2]). d://e'],
  [
    'keeps allowed links',
    '[the page](https://docs.example/page#part "title")',
    '[the page](https://docs.example/page#part)',
  ],
  [
    'keeps allowed addresses',
    'https://docs.example/page, (http://docs.example/page/). <https://docs.example/page>',
  ],
  ['keeps allowed addresses without a scheme', 'www.help.example'],
  ['keeps parentheses of an address', '[x](https://wiki.example/A_(b)) https://wiki.example/A_(b).'],
  ['separates other links', '[text](https://evil.example)', '[text] (https:// evil.example)'],
  [
    'separates links with another query',
    '[a](https://docs.example/page?x=1)',
    '[a] (https:// docs.example/page?x=1)',
  ],
  ['separates scripts', '[a](javascript:alert(1))', '[a] (javascript:alert(1))'],
  ['separates relative links', '[a](/b) [c](#d)', '[a] (/b) [c] (#d)'],
  ['separates other addresses', 'see https://evil.example', 'see https:// evil.example'],
  [
    'separates addresses that are joined',
    'https://a.example,http://b.example',
    'https:// a.example,http:// b.example',
  ],
  ['separates images', '![a](https://docs.example/page)', '! [a](https://docs.example/page)'],
  ['separates HTML', '<img src=x> </b> <!-- c -->', '< img src=x> < /b> < !-- c -->'],
  [
    'separates definitions',
    '[a]: https://docs.example/page\n> [1]: b',
    '[a] : https://docs.example/page\n> [1] : b',
  ],
  ['separates definitions of several lines', '[a\nb]: /c', '[a\nb] : /c'],
  ['keeps a colon after a citation in a sentence', 'As in [1]: yes.'],
  ['keeps code', 'Use `<b>` and ``![a`](https://evil.example)``.'],
  ['keeps fences', '```html\n<b>\n![a](b)\n```\n~~~\n<b>\n~~~'],
  ['keeps fences in lists', '1. a\n   ```sh\n   curl https://x.example\n   ```\n   b'],
  ['does not keep code that is not closed', '`<b>\nc', '`< b>\nc'],
  ['does not keep code after a line with an open backtick', 'a ` b\nc ` <i> `', 'a ` b\nc ` < i> `'],
  ['keeps code again after a blank line', 'a ` b\n\n`<i>`'],
  ['does not keep code with a pipe', '| ` | <b> ` |', '| ` | < b> ` |'],
  ['does not keep code after an escaped backtick', '\\`<b>`', '\\`< b>`'],
  ['does not keep a fence that a list item ends', '- a\n  ```\n<b>', '- a\n  ```\n< b>'],
  ['does not keep a fence that begins in a list marker', '- ```\n  ```\n  <b>', '- ```\n  ```\n  < b>'],
  [
    'separates escaped addresses',
    'https\\://x.example www\\.x.example',
    'https \\://x.example www \\.x.example',
  ],
  ['keeps other escapes', '1\\. a \\* b\\.'],
  ['separates character references', 'https&colon;//x &#x68;', 'https& colon;//x & #x68;'],
  ['keeps ampersands', 'R&D && b &lt; c &amp; d & e'],
  [
    'separates links with character references',
    '[a](https://docs.example/page&#47;x)',
    '[a] (https:// docs.example/page& #47;x)',
  ],
  ['does not take a line with a no-break space as blank', 'a ` b\n\u00a0\n`<i>`', 'a ` b\n\u00a0\n`< i>`'],
  ['removes carriage returns', '~~~\rx\r~~~\r<b>', '~~~x~~~<b>'],
  ['does not build links from parts', '[x][](/a)(/b)', '[x][] (/a)(/b)'],
];

/** Punctuation of the sentence that GFM reads as part of an address. */
const PUNCTUATION = /[.,;:!?()*_~'"\]]+$/;

/** Text of Markdown's special characters, in which links, images and HTML are frequent. */
const answers = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'[]()<>`~!\\|:\n \t-.1a"\''),
      fc.constantFrom(
        '](https://evil.example)',
        '![a](/b)',
        '[a](b)',
        '[a]: /b\n',
        '[a]',
        '<img src=x>',
        '</a>',
        '<!--',
        'https://evil.example',
        'www.evil.example',
        'https://docs.example/page',
        '](https://docs.example/page)',
        '```',
        '\n```\n',
        '\n~~~\n',
        '\n  ```\n',
        '\n- ```\n',
        '\n> ',
        '\n- ',
        '\n1. ',
        '\n\n',
        '\n    ',
        '|-|\n',
        '` ',
        '\u00a0',
        '\r',
        '\n\u00a0\n',
        'https\\://evil.example',
        'https:\\/\\/evil.example',
        'www\\.evil.example',
        'https&#58;//evil.example',
        'https&colon;//evil.example',
        '&#x68;ttps://evil.example',
        'w&#119;w.evil.example',
        '&amp;',
        '&lt;b>',
      ),
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((parts) => parts.join(''));

describe('LinkStreamFilter', () => {
  it.each(cases)('%s', (_name, answer, text = answer) => {
    expect(filterAnswer(answer)).toBe(text);
  });

  it('leaves nothing active for a Markdown reader', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const unsafe = activeParts(filterAnswer(answer)).filter(
          (part) => !links.has(part.replace(PUNCTUATION, '')),
        );
        expect(unsafe).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('adds only spaces, and removes only titles of links', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        if (answer.includes('](https://docs')) return;
        expect(filterAnswer(answer).replaceAll(' ', '')).toBe(answer.replace(/[ \r]/g, ''));
      }),
    );
  });

  it('returns the same text however the answer is split', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(200)), (answer, cuts) => {
        const filter = new LinkStreamFilter(links);
        const bounds = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length];
        let text = '';
        for (let i = 1; i < bounds.length; i += 1)
          text += filter.push(answer.slice(bounds[i - 1], bounds[i]));
        expect(text + filter.flush()).toBe(filterAnswer(answer));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a code line', `\`\`\`\n${'x'.repeat(3_000)}<b>\n\`\`\`\n`],
    ['code in backticks', `\`${'x'.repeat(3_000)}<b>\``],
    ['a target', `[a](${'x'.repeat(3_000)})`],
    ['an address', `https://docs.example/page${'.'.repeat(3_000)} x`],
  ])('holds back only a limited part of %s', (_name, answer) => {
    const filter = new LinkStreamFilter(links);
    let [given, shown, text] = [0, 0, ''];
    for (const char of answer) {
      const output = filter.push(char);
      given += 1;
      text += output;
      shown += output.replaceAll(' ', '').length;
      expect(given - shown).toBeLessThanOrEqual(2_060);
    }
    expect(text + filter.flush()).toBe(filterAnswer(answer));
    expect(activeParts(filterAnswer(answer))).toEqual([]);
  });

  it.each(['`a` ', 'http://', '](a', '<http://a', '&amp'])(
    'processes a long line of %j in one pass',
    (part) => {
      // Searching the whole rest of the line at each token would take minutes.
      expect(filterAnswer(part.repeat(1_000_000 / part.length))).toContain(part.charAt(0));
    },
    20_000,
  );
});
