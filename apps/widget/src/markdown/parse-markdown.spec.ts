import { describe, expect, it } from '@jest/globals';
import type { Inline } from './parse-inline.js';
import { type Block, parseMarkdown } from './parse-markdown.js';

/** A short notation of the tree, which looks like HTML. */
function show(blocks: readonly Block[]): string {
  return blocks.map(showBlock).join('');
}

function showBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${showInline(block.children)}</p>`;
    case 'heading':
      return `<h${block.level}>${showInline(block.children)}</h${block.level}>`;
    case 'code':
      return `<pre>${block.text}</pre>`;
    case 'quote':
      return `<quote>${show(block.blocks)}</quote>`;
    case 'rule':
      return '<hr>';
    case 'table':
      return `<table>${[block.header, ...block.rows].map((row) => row.map(showInline).join(' ; ')).join(' / ')}</table>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${show(item)}</li>`).join('');
      return block.isOrdered ? `<ol ${block.start}>${items}</ol>` : `<ul>${items}</ul>`;
    }
  }
}

function showInline(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case 'text':
          return piece.text;
        case 'code':
          return `<code>${piece.text}</code>`;
        case 'citation':
          return `<cite ${piece.number}${piece.isAdded ? ' added' : ''}>`;
        case 'unsupported':
          return '<unsupported>';
        case 'strong':
        case 'emphasis':
          return `<${piece.kind}>${showInline(piece.children)}</${piece.kind}>`;
        case 'link':
          return `<a ${piece.href}>${showInline(piece.children)}</a>`;
      }
    })
    .join('');
}

describe('parseMarkdown', () => {
  it.each([
    ['a\nb\n\nc', '<p>a\nb</p><p>c</p>'],
    ['# A\n## B ##\ntext', '<h1>A</h1><h2>B</h2><p>text</p>'],
    ['# C# ##\n#\t#\n## F#', '<h1>C#</h1><h1></h1><h2>F#</h2>'],
    ['``a` b', '<p>``a` b</p>'],
    ['*a _b* c_ **d', '<p><emphasis>a _b</emphasis> c_ **d</p>'],
    ['see https://x.example/a?b=1).', '<p>see <a https://x.example/a?b=1>https://x.example/a?b=1</a>).</p>'],
    [
      'One. \uFDD02\uFDD1 **Two** \uFDD0\uFDD1 `x \uFDD0\uFDD1`',
      '<p>One. <cite 2 added> <strong>Two</strong> <unsupported> <code>x</code></p>',
    ],
    ['#no heading', '<p>#no heading</p>'],
    [
      '**a** *b* __c__ _d_ ***e***',
      '<p><strong>a</strong> <emphasis>b</emphasis> <strong>c</strong> <emphasis>d</emphasis> <strong><emphasis>e</emphasis></strong></p>',
    ],
    ['file_name_here 2 * 3 * 4', '<p>file_name_here 2 * 3 * 4</p>'],
    ['**unfinished', '<p>**unfinished</p>'],
    ['`a * b` ``c`d``', '<p><code>a * b</code> <code>c`d</code></p>'],
    ['Two years [1][2].', '<p>Two years <cite 1><cite 2>.</p>'],
    ['\\[1\\] \\*a\\*', '<p>[1] *a*</p>'],
    ['[a **b**](https://x.example/y)', '<p><a https://x.example/y>a <strong>b</strong></a></p>'],
    ['[1](https://x.example)', '<p><a https://x.example>1</a></p>'],
    ['See https://x.example/a_b.', '<p>See <a https://x.example/a_b>https://x.example/a_b</a>.</p>'],
    ['<https://x.example>', '<p><a https://x.example>https://x.example</a></p>'],
    [
      '[a](javascript:alert(1)) [b](data:text/html,x)',
      '<p>[a](javascript:alert(1)) [b](data:text/html,x)</p>',
    ],
    ['![a](https://x.example/i.png)', '<p>!<a https://x.example/i.png>a</a></p>'],
    ['<img src=x onerror=alert(1)>', '<p><img src=x onerror=alert(1)></p>'],
    ['```js\nlet a = `1`;\n\n# b\n```\nc', '<pre>let a = `1`;\n\n# b</pre><p>c</p>'],
    ['```\nunfinished', '<pre>unfinished</pre>'],
    ['> a\n> b\n\nc', '<quote><p>a\nb</p></quote><p>c</p>'],
    ['- a\n- b\n  c\n\ntext', '<ul><li><p>a</p></li><li><p>b\nc</p></li></ul><p>text</p>'],
    [
      '- a\n  - b\n  - c\n- d',
      '<ul><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ul>',
    ],
    ['3. a\n4. b', '<ol 3><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['- a\n1. b', '<ul><li><p>a</p></li></ul><ol 1><li><p>b</p></li></ol>'],
    ['text\n- a', '<p>text</p><ul><li><p>a</p></li></ul>'],
    ['1986. A year', '<ol 1986><li><p>A year</p></li></ol>'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '<table>a ; b / 1 ; 2</table>'],
    ['a | b\n:-- | --:\n1 | 2\n\nc', '<table>a ; b / 1 ; 2</table><p>c</p>'],
    [
      '| **a** | b |\n|:-:|-|\n| [1] | `x\\|y` |\n||3|',
      '<table><strong>a</strong> ; b / <cite 1> ; <code>x|y</code> /  ; 3</table>',
    ],
    // No cell is lost.
    ['|a|b|\n|-|-|\n|1|\n|1|2|3|', '<table>a ; b / 1 / 1 ; 2 ; 3</table>'],
    ['text\n| a |\n|---|\n| 1 |\n- b', '<p>text</p><table>a / 1</table><ul><li><p>b</p></li></ul>'],
    [
      '- a\n\n  | b | c |\n  |---|---|\n  | 1 | 2 |',
      '<ul><li><p>a</p><table>b ; c / 1 ; 2</table></li></ul>',
    ],
    ['> | a |\n> |---|\n> | 1 |', '<quote><table>a / 1</table></quote>'],
    ['| 日本 | 語 |\n|---|---|\n| 一 | 二 |', '<table>日本 ; 語 / 一 ; 二</table>'],
    // The head of a table that still arrives, and lines that are none.
    ['| a | b |', '<p>| a | b |</p>'],
    ['| a | b |\n|--', '<p>| a | b |\n|--</p>'],
    ['| a | b |\n|---|---|', '<table>a ; b</table>'],
    ['a | b\nc | d', '<p>a | b\nc | d</p>'],
    ['a | b\n---', '<p>a | b</p><hr>'],
    ['```\n| a |\n|---|\n```', '<pre>| a |\n|---|</pre>'],
    ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
    ['', ''],
  ])('parses %j', (source, expected) => {
    expect(show(parseMarkdown(source))).toBe(expected);
  });

  it('terminates for deep and unfinished markup', () => {
    for (const hostile of [
      '**',
      '`',
      '[',
      '> ',
      '- ',
      '_a',
      '<https://',
      '![',
      '|',
      '|-',
      '| a |\n|-|\n',
      '**a ',
      '# ',
    ]) {
      const source = hostile.repeat(5_000);
      expect(parseMarkdown(source).length).toBeGreaterThan(0);
    }
  });
});
