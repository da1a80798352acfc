import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

describe('markdownParser', () => {
  it('rejects deeply nested block quotes, which would take too long', async () => {
    await expect(parse(`${'>'.repeat(100_000)} x`, 'text/markdown')).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
    });
    expect((await parse(`${'> '.repeat(20)}deep`, 'text/markdown')).text).toMatch(/deep/);
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
    expect(outline(document)).toEqual([
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
    expect(document.title).toBe('The title');
    expect(document.language).toBe('en');
  });

  it('reads a thematic break at the beginning as such', async () => {
    expect((await parse('---\n\ntext\n\n---\n\nmore', 'text/markdown')).text).toBe('text\n\nmore');
  });

  it('gives headings the same anchors as GitHub', async () => {
    const { blocks } = await parse(
      '# What *is* it?\n\n## Set-up, 2nd part\n\n## What is it\n\nText',
      'text/markdown',
    );
    expect(blocks.map((block) => block.anchor)).toEqual([
      'what-is-it',
      'set-up-2nd-part',
      'what-is-it-1',
      'what-is-it-1',
    ]);
    expect(blocks.at(-1)?.headingPath).toEqual(['What is it?', 'What is it']);
  });
});
