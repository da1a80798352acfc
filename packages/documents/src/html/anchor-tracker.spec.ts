import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { readPage } from './read-page.js';

/** The blocks of a page, each as `text@anchor`. */
async function anchorsOf(html: string): Promise<string[]> {
  // Enough text around it that no element of it is most of the page.
  const rest = `<h1>Rest</h1><p>${'All that stands elsewhere. '.repeat(400)}</p>`;
  const { document } = await readPage(`<main>${html}${rest}</main>`, { url: 'https://example.org/page' });
  assert.ok(document, 'the page has text');
  const blocks = document.blocks.map(
    ({ start, end, anchor }) => `${document.text.slice(start, end)}@${anchor ?? ''}`,
  );
  return blocks.slice(0, -2);
}

describe('the anchor of a block', () => {
  const cases: readonly (readonly [title: string, html: string, expected: readonly string[]])[] = [
    [
      'a section ends with the next heading of its level',
      '<h2 id="install">Install</h2><p>a</p><h2>No id</h2><p>b</p>',
      ['Install@install', 'a@install', 'No id@', 'b@'],
    ],
    [
      'a heading without id takes the id of the heading above, not of a sibling heading',
      `<h1 id="guide">Guide</h1><h2 id="install">Install</h2><h3 id="linux">Linux</h3><p>a</p>
      <h3>Others</h3><p>b</p><h2>No id</h2><p>c</p>`,
      [
        'Guide@guide',
        'Install@install',
        'Linux@linux',
        'a@linux',
        'Others@install',
        'b@install',
        'No id@guide',
        'c@guide',
      ],
    ],
    ['text before the first heading has no anchor', '<p>a</p><h2 id="b">B</h2>', ['a@', 'B@b']],
    [
      'a heading without id takes the id of an enclosing element',
      '<h2 id="a">A</h2><div id="box"><p>a</p><h2>B</h2><p>b</p></div><p>after</p>',
      ['A@a', 'a@box', 'B@box', 'b@box', 'after@box'],
    ],
    [
      'an element that begins with a heading is the target of that heading alone',
      '<section id="a"><h2>A</h2><p>a</p><h2>B</h2><p>b</p></section>',
      ['A@a', 'a@a', 'B@', 'b@'],
    ],
    [
      '… also when that heading has its own id',
      '<section id="a"><div id="inner"><h2 id="own">A</h2><p>a</p><h2>B</h2></div></section>',
      ['A@own', 'a@own', 'B@'],
    ],
    [
      'an empty target before a heading belongs to it, and one after it ends with its section',
      '<a name="a"></a><h2>A</h2><p>a</p><p><a id="b"></a>b</p><p>c</p><h2>C</h2><p>d</p>',
      ['A@a', 'a@a', 'b@b', 'c@b', 'C@', 'd@'],
    ],
    [
      'an empty target after a heading does not belong to it',
      '<div><h2>A</h2><a id="b"></a><h2>B</h2></div>',
      ['A@', 'B@b'],
    ],
    [
      'only the first of equal ids is a target, wherever it is',
      '<nav><a id="menu" href="/">x</a></nav><h2 id="a">A</h2><h2 id="a">B</h2><h2 id="menu">C</h2><h2 id="c">C</h2>',
      ['A@a', 'B@', 'C@', 'C@c'],
    ],
    [
      'ids precede names, and templates are not part of the page',
      '<a name="x"></a><h2>A</h2><h2 id="x">B</h2><template><p id="t">t</p></template><h2 id="t">T</h2>',
      ['A@', 'B@x', 'T@t'],
    ],
    [
      'an id may have any character except white space that is normalized',
      '<h2 id="50% off?&amp;x">A</h2><h2 id=" b">B</h2><h2 id="c\n">C</h2><h2 id="d  d">D</h2><h2 id="">E</h2>',
      ['A@50% off?&x', 'B@', 'C@', 'D@', 'E@'],
    ],
    [
      'an id in a heading or on a link beside it belongs to the heading',
      '<h2><span id="a"></span>A</h2><div><h2>B</h2><a id="user-b" href="#b"></a></div>',
      ['A@a', 'B@user-b'],
    ],
    [
      'a permalink is no id',
      `<ul id="list"><li>x</li></ul><h2>A <a href="#list">↑</a></h2><h2>B <a href="#top">↑</a></h2>
      <h2>C <a href="/code.py#L1">#</a></h2><h2 id="d">D <a href="#e">#</a></h2>`,
      ['- x@list', 'A@', 'B@', 'C@', 'D@d'],
    ],
    [
      '… and gives no heading the id of an element around it that began before',
      '<div id="a"><p>a</p><h2>A <a href="https://example.org/page#a">#</a></h2><p>b</p></div>',
      ['a@a', 'A@a', 'b@a'],
    ],
  ];
  for (const [title, html, expected] of cases)
    it(title, async () => expect(await anchorsOf(html)).toEqual(expected));
});
