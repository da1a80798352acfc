import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.deepEqual(outline(document), [
      ['heading1', 'Guide'],
      ['paragraph', 'Hello bold world.\nSecond line.'],
      ['heading2', 'Setup'],
      ['list', '- one\n  1. inner\n- two'],
      ['code', 'a\n  b'],
      ['table', 'K | V\nx | 1'],
    ]);
    assert.deepEqual(
      document.blocks.map((block) => block.anchor),
      ['guide', 'guide', 'setup', 'setup', 'setup', 'setup'],
    );
    assert.equal(document.title, 'Page title');
    assert.equal(document.language, 'de-AT');
    assert.equal(document.metadata['canonical'], 'https://example.org/a');
    assert.equal(document.metadata['robots'], 'noindex');
  });

  it('uses the character set that a page declares', async () => {
    const page = Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', 'latin1');
    assert.equal((await parse(page, 'text/html')).text, 'Привет');
  });
});
