import type { Source } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { withoutCitations, withSources } from './copied-answer.js';

const source = (name: string, more: Partial<Source> = {}): Source =>
  ({ datasource_name: name, source: name, cited: true, ...more }) as Source;
const two = [source('A'), source('B')];

it.each([
  ['Two years [1].', 'Two years.'],
  ['Two[1][2] years [1] [2].', 'Two years.'],
  ['[1] Two years', ' Two years'],
  ['Item [3] of [12]', 'Item [3] of [12]'],
  ['`x[1]` is x [1]', '`x[1]` is x'],
  ['``a ` b [1]`` [1]', '``a ` b [1]``'],
  ['```js\nlet y = x[1];\n```\nSo [1].', '```js\nlet y = x[1];\n```\nSo.'],
  ['~~~\nx[1]\n~~~\nSo [2].', '~~~\nx[1]\n~~~\nSo.'],
  ['```\nunclosed [1]', '```\nunclosed [1]'],
  ['````\nx [1]\n```\ny [1]\n````` [1]', '````\nx [1]\n```\ny [1]\n`````'],
  ['a lone ` and [1]', 'a lone ` and'],
  ['[1](https://a.example) and \\[1\\]', '[1](https://a.example) and \\[1\\]'],
  ['| a [1] | b |\n|---|---|', '| a | b |\n|---|---|'],
  ['- one [1]\n- two [2]\n', '- one\n- two\n'],
  ['二年です[1]。', '二年です。'],
  ['Two years [1]: more [2]: less', 'Two years: more: less'],
  ['See [1].\n\n [1]: https://a.example', 'See.\n\n [1]: https://a.example'],
  ['', ''],
])('%j without citations is %j', (text, expected) => {
  expect(withoutCitations(text, two)).toBe(expected);
});

it('the sources are those that are cited, with their numbers, pages and addresses', () => {
  const words = { sources: 'Sources', page: (page: number) => `page ${page}` };
  const sources = [
    source('Manual.pdf', { page_number: 4 }),
    source('Unused', { cited: false }),
    source('Warranty', { source: 'https://a.example/w' }),
  ];
  expect(withSources('Two years [1][3].\n', sources, words)).toBe(
    'Two years [1][3].\n\nSources:\n[1] Manual.pdf, page 4\n[3] Warranty, https://a.example/w',
  );
  expect(withSources('No sources.', [], words)).toBe('No sources.');
});
