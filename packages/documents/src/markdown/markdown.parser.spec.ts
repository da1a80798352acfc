import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline, parse } from '../test-files/parse.js';

describe('markdownParser', () => {
  it('rejects deeply nested block quotes, which would take too long', async () => {
    await assert.rejects(parse(`${'>'.repeat(100_000)} x`, 'text/markdown'), { code: 'TOO_COMPLEX' });
    assert.match((await parse(`${'> '.repeat(20)}deep`, 'text/markdown')).text, /deep/);
  });

  it('reads the blocks of CommonMark and GFM, and front matter', async () => {
    const markdown = [
      '---\ntitle: "The title"\nlang: en\ntags: [a, b]\n---',
      '# One',
      'Some *text* with a [link](http://x) and `code`.',
      '1. first\n   - inner\n2. second\n\n- [x] done',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '```js\nlet x = 1;\n\n  y();\n```',
      '> quoted\n> text',
      '<p>raw &amp; <b>html</b></p>',
      'Note[^1]\n\n[^1]: The note.',
    ].join('\n\n');
    const document = await parse(markdown, 'text/markdown');
    assert.deepEqual(outline(document), [
      ['heading1', 'One'],
      ['paragraph', 'Some text with a link and code.'],
      ['list', '1. first\n  - inner\n2. second'],
      ['list', '- done'],
      ['table', 'a | b\n1 | 2'],
      ['code', 'let x = 1;\n\n  y();'],
      ['quote', 'quoted\ntext'],
      ['paragraph', 'raw & html'],
      ['paragraph', 'Note[1]'],
      ['paragraph', '[1] The note.'],
    ]);
    assert.equal(document.title, 'The title');
    assert.equal(document.language, 'en');
  });

  it('reads a thematic break at the beginning as such', async () => {
    assert.equal((await parse('---\n\ntext\n\n---\n\nmore', 'text/markdown')).text, 'text\n\nmore');
  });

  it('gives headings the same anchors as GitHub', async () => {
    const { blocks } = await parse(
      '# What *is* it?\n\n## Set-up, 2nd part\n\n## What is it\n\nText',
      'text/markdown',
    );
    assert.deepEqual(
      blocks.map((block) => block.anchor),
      ['what-is-it', 'set-up-2nd-part', 'what-is-it-1', 'what-is-it-1'],
    );
    assert.deepEqual(blocks.at(-1)?.headingPath, ['What is it?', 'What is it']);
  });
});
