import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

describe('markdownParser', () => {
  it('rejects deeply nested block quotes, which would take too long', async () => {
    await expect(parse(`${'>'.repeat(100_000)} x`, 'text/markdown')).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
    });
    expect((await parse(`${'> '.repeat(20)}deep`, 'text/markdown')).text).toMatch(/deep/);
  });

  it('rejects tens of thousands of definitions, which would take too long', async () => {
    const definitions = (count: number): string => `${'[a]: /b\n'.repeat(count)}\ntext`;
    await expect(parse(definitions(20_001), 'text/markdown')).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    expect((await parse(definitions(100), 'text/markdown')).text).toBe('text');
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
      ['paragraph', 'title: The title\nlang: en\ntags: a, b'],
      ['heading1', 'One'],
      ['paragraph', 'Some text with a link and code.'],
      ['list', '1. first\n  - inner\n2. second'],
      ['list', '- [x] done'],
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

  it.each([
    [
      'tables',
      '<table><tr><th>Motor<th>Power<tr><td>K7<td>450&nbsp;W</table>',
      [['table', 'Motor | Power\nK7 | 450 W']],
    ],
    [
      'tables with blank lines, indentation and Markdown',
      '<table>\n\n<tr>\n\n<td>Name</td>\n\n<td>Use</td></tr>\n\n    <tr><td>A</td>\n\n<td>\n\nSome **bold** text\n\n</td></tr>\n</table>\n\nAfter',
      [
        ['table', 'Name | Use\nA | Some bold text'],
        ['paragraph', 'After'],
      ],
    ],
    ['lists', '<ul><li>first</li>\n\n<li>second</li></ul>', [['list', '- first\n- second']]],
    [
      'headings',
      '<h2 align="center">Title</h2>\n\nText\n\n## C#',
      [
        ['heading2', 'Title'],
        ['paragraph', 'Text'],
        ['heading2', 'C#'],
      ],
    ],
    [
      'exponents and entities',
      'Is 10<sup>6</sup> for 5&euro; &amp; 7<br>new line',
      [['paragraph', 'Is 10^6 for 5€ & 7\nnew line']],
    ],
    [
      'line breaks in cells',
      '| a | b |\n|---|---|\n| 1<br>2 | x <b>y</b> |',
      [['table', 'a | b\n1 2 | x y']],
    ],
    ['HTML in items', '- H<sub>2</sub>O and&nbsp;x<sup>2</sup>\n- b', [['list', '- H2O and x^2\n- b']]],
    [
      'details around Markdown',
      '<details>\n<summary>More</summary>\n\n## Inside\n\n- a\n\n</details>\n\nEnd',
      [
        ['paragraph', 'More'],
        ['heading2', 'Inside'],
        ['list', '- a'],
        ['paragraph', 'End'],
      ],
    ],
    ['comments, which are not text', '<!-- hidden -->\n\nText<!-- x --> more', [['paragraph', 'Text more']]],
    [
      'a table that never ends',
      '<table><tr><td>a\n\n# Next\n\nText',
      [
        ['paragraph', 'a'],
        ['heading1', 'Next'],
        ['paragraph', 'Text'],
      ],
    ],
    ['signs of less in text', 'if a < b and 3<4 <i>then</i>', [['paragraph', 'if a < b and 3<4 then']]],
    [
      'placeholders, which HTML does not know',
      'curl <host>/x or List<int>\n\n<your-key>\n\n- <T extends Foo>\n\n<Tabs>in</Tabs> <Image /> <b>x</b>',
      [
        ['paragraph', 'curl <host>/x or List<int>'],
        ['paragraph', '<your-key>'],
        ['list', '- <T extends Foo>'],
        ['paragraph', 'in x'],
      ],
    ],
    [
      'code in items, and equal items',
      '1. Run\n\n   ```\n   npm i\n     x\n   ```\n\n2. Wait until it is done, which takes some minutes\n3. Wait until it is done, which takes some minutes',
      [
        ['list', '1. Run'],
        ['code', 'npm i\n  x'],
        [
          'list',
          '2. Wait until it is done, which takes some minutes\n3. Wait until it is done, which takes some minutes',
        ],
      ],
    ],
    [
      'headings in quotes, which are none of the document',
      '# A\n\n> ## Note\n> text',
      [
        ['heading1', 'A'],
        ['quote', 'Note'],
        ['quote', 'text'],
      ],
    ],
    [
      'text after tags and comments that never end',
      'Set <title> or <iframe>\n\n<div class\n\nkept\n\n<!-- <b>open\n\nalso kept',
      [
        ['paragraph', 'Set <title> or <iframe>'],
        ['paragraph', '<div class'],
        ['paragraph', 'kept'],
        ['paragraph', '<!-- <b>open also kept'],
      ],
    ],
    ['lines that end with a tag', 'Type: a<br>\nDefault: b\nc', [['paragraph', 'Type: a\nDefault: b\nc']]],
    [
      'tasks',
      '1. [ ] open\n2. [X] done\n   - [ ] inner',
      [['list', '1. [ ] open\n2. [x] done\n  - [ ] inner']],
    ],
  ])('reads %s', async (_what, markdown, blocks) => {
    expect(outline(await parse(markdown, 'text/markdown'))).toEqual(blocks);
  });

  it.each([
    ['Price: ~~95 EUR~~ 82 EUR, ~14~ 22', 'Price: 82 EUR, ~14~ 22', 6],
    ['# ~~old~~ new\n\n- ~~Call~~\n- Go\n  - ~~x~~\n\n> ~~gone~~', 'new\n\n- Go', 15],
    ['| a |\n|---|\n| ~~1~~ **~~2~~** 3 |', 'a\n3', 3],
    ['<s>95</s> 82 <del class="x">**old**</del>\n\n<p><s>1</s> 20</p>', '82\n\n20', 8],
    ['- [x] ~~Book the hall~~\n- [ ] Call', '- [x] Book the hall\n- [ ] Call', undefined],
    ['3~5 Tage, sonst 6~8 Tage, `~~x~~`', '3~5 Tage, sonst 6~8 Tage, ~~x~~', undefined],
    ['<s>never ends, 5 <b>x</b>', '<s>never ends, 5 x', undefined],
    ['<del>\n\n5 EUR\n\n</del>\n\n<del>\n\n6', '<del>\n\n6', 5],
  ])('leaves out struck text of %j', async (markdown, text, deleted) => {
    const document = await parse(markdown, 'text/markdown');
    expect(document.text).toBe(text);
    expect(document.leftOut.deleted).toBe(deleted);
  });

  it.each([
    'Use <script src="a.js"> or <iframe src=x>.',
    'Use <textarea rows=3>, <style> and <template id="t">.\n\n`</style></textarea></template>`',
    '- Use <textarea>\n- Price',
    'Use <pre> and <plaintext>, <xmp>, <button> or <math> here.',
    'Use <table> and <ul>.\n\n```\n<a href="x">Link</a>\n```',
    'Use <select>one</select>, <video>two</video> and </td>.',
    '# Use <title>\n\n| <style type="x"> |\n|---|\n| one |',
    '<s>never ends',
    '<plaintext>',
    '<pre>',
    '<svg>',
    '<h2>One',
    '<div class="x>',
    '<iframe src="x">\n\nin\n\n</iframe>',
    '<del>\n\none\n\n```\n</del>\n```',
    '> <!-- <!-- one',
    '> <![CDATA[ one > two',
  ])('keeps the text after tags that do not end where they start: %j', async (markdown) => {
    // A quote is in a block of its own, which ends the HTML.
    const { text, leftOut, warnings } = await parse(`${markdown}\n\n> Price 95 EUR`, 'text/markdown');
    const words = (of: string): string[] => of.match(/[\p{L}\p{N}]+/gu) ?? [];
    expect(words(text)).toEqual(words(`${markdown} Price 95 EUR`));
    expect([leftOut, warnings]).toEqual([{}, []]);
  });

  it.each([
    ['anchors', '## <a name="x"> Title\n\n<a id="y"/>\n\ntext', 'Title\n\ntext'],
    ['cells', '<table><tr><td>\n\n**a**</td><td>\n\nb</td></tr></table>\n\nend', 'a | b\n\nend'],
    ['code', '<table><tr><td>\n\n```\n<a>b</a>\n```\n\n</table>', '<a>b</a>'],
    ['scripts', '<script>\nif (a < 1) b();\n</script>\n\nend', 'end'],
    ['comments', '<del> a <!-- </del> -->\n\nend', '<del> a\n\nend'],
    ['components', '<Tabs>\n\nin\n\n<Card a="b" />\n\n</Tabs>', 'in'],
  ])('reads HTML around Markdown: %s', async (_what, markdown, text) => {
    expect((await parse(markdown, 'text/markdown')).text).toBe(text);
  });

  it('warns of text that the HTML before it hides', async () => {
    const markdown = 'start\n\n<div a=b"c><script>"d>\n\nPrice of the delivery: 95 EUR';
    const { warnings } = await parse(markdown, 'text/markdown');
    expect(warnings[0]?.message).toContain('“Price of the delivery: 95 EUR”');
  });

  it.each([
    ['YAML with one key', '---\ntitle: Only\n---\ntext', 'title: Only\n\ntext'],
    [
      'YAML with lists, objects and texts of several lines',
      '---\ntags:\n  - a\n  - b\nauthor:\n  name: Ada\ndate: 2026-03-01\ndraft: no\nsummary: >\n  One\n  two\n---\ntext',
      'tags: a, b\nauthor.name: Ada\ndate: 2026-03-01\ndraft: no\nsummary: One two\n\ntext',
    ],
    [
      'TOML',
      '+++\ntitle = "T"\ntags = ["a", "b"]\n[author]\nname = "Ada"\n+++\ntext',
      'title: T\ntags: a, b\nauthor.name: Ada\n\ntext',
    ],
    ['JSON', '{\n"title": "T", "tags": ["a"]\n}\n\ntext', 'title: T\ntags: a\n\ntext'],
    ['a thematic break and text', '---\nJust text.\n\n---\nmore', 'Just text.\n\nmore'],
    [
      'a thematic break, a heading and a sentence with a colon',
      '---\n\n# One\n\nkey: value\n\n---\n\nmore',
      'One\n\nkey: value\n\nmore',
    ],
    [
      'a sentence with a colon',
      '---\nNote: read this: it matters\n---\nmore',
      'Note: read this: it matters\n\nmore',
    ],
  ])('reads front matter: %s', async (_what, markdown, text) => {
    expect((await parse(markdown, 'text/markdown')).text).toBe(text);
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
