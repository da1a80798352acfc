import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

const PAGE = `<!doctype html><html lang="de-AT"><head><title>Page title</title>
<link rel="canonical" href="https://example.org/a"><meta name="robots" content="noindex"></head><body>
<nav><a href="/">Home</a></nav>
<main><h1>Guide <a class="hash" href="#guide" id="guide">#</a></h1><p>Hello <b>bold</b>
world.<br>Second line.</p><script>evil()</script>
<section id="setup"><h2>Setup</h2><ul><li>one<ol><li>inner</li></ol></li><li>two</li></ul>
<pre>a
  b</pre><table><tr><th>K</th><th>V</th></tr><tr><td>x</td><td>1</td></tr></table></section></main>
<footer>Imprint</footer></body></html>`;

describe('htmlParser', () => {
  it('reads the main content with anchors and the metadata of the head', async () => {
    const document = await parse(PAGE, 'text/html');
    expect(outline(document)).toEqual([
      ['heading1', 'Guide'],
      ['paragraph', 'Hello bold world.\nSecond line.'],
      ['heading2', 'Setup'],
      ['list', '- one\n  1. inner\n- two'],
      ['code', 'a\n  b'],
      ['table', 'K | V\nx | 1'],
    ]);
    expect(document.blocks.map((block) => block.anchor)).toEqual([
      'guide',
      'guide',
      'setup',
      'setup',
      'setup',
      'setup',
    ]);
    expect(document.title).toBe('Page title');
    expect(document.language).toBe('de-AT');
    expect(document.metadata['canonical']).toBe('https://example.org/a');
    expect(document.metadata['robots']).toBe('noindex');
  });

  it('uses the character set that a page declares', async () => {
    const page = Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', 'latin1');
    expect((await parse(page, 'text/html')).text).toBe('Привет');
  });

  it('tells which cells of a table are repeated', async () => {
    const rows =
      '<tr><th>Year</th><th>Budget</th><th>Item</th></tr><tr><td rowspan=2>2025</td><td rowspan=2>900</td><td>Server</td></tr>' +
      '<tr><td>Laptop</td></tr><tr><td colspan=2>none</td><td>Desk</td></tr>';
    const { tables } = await parse(`<p>Text of the page.</p><table>${rows}</table>`, 'text/html');
    expect([1, 2, 3].map((row) => tables.get(1)?.contents.at(row))).toEqual([
      [],
      [null, null],
      [undefined, null],
    ]);
  });
});
