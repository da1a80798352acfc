import { describe, expect, it } from '@jest/globals';
import { conditionTexts, markSentences, withAddedCitations, withoutMarkdown } from './answer-text.js';

const MARKS: Readonly<Record<string, string>> = { '\uFDD0\uFDD1': '?' };
const shown = (text: string): string =>
  text.replace(/\uFDD0(\d*)\uFDD1/g, (mark, n) => MARKS[mark] ?? `+${n}`);

/** The sentences of an answer, by their text: numbers that the model cites, numbers that were added, or nothing. */
function sentencesOf(
  answer: string,
  parts: Readonly<Record<string, { cited?: number[]; added?: number[] }>>,
) {
  return Object.entries(parts).map(([text, { cited = [], added = [] }]) => {
    const start = answer.indexOf(text);
    const citations = [
      ...cited.map((number) => ({ number, added: false })),
      ...added.map((number) => ({ number, added: true })),
    ];
    return { start, end: start + text.length, supported: citations.length > 0, citations };
  });
}

it.each<
  [title: string, answer: string, parts: Parameters<typeof sentencesOf>[1], marked: string, cited: string]
>([
  [
    'added, cited and unsupported sentences',
    'One. Two [1]. Three.',
    { 'One.': { added: [2] }, 'Two [1].': { cited: [1] }, 'Three.': {} },
    'One. +2 Two [1]. Three. ?',
    'One. [2] Two [1]. Three.',
  ],
  [
    'items of a list',
    '- **A:** one\n- B',
    { '**A:** one': {}, B: { added: [1] } },
    '- **A:** one ?\n- B +1',
    '- **A:** one\n- B [1]',
  ],
  ['the last cell of a row', '| a | b |\n', { '| a | b |': {} }, '| a | b ? |\n', '| a | b |\n'],
  [
    'an address at the end',
    'See https://a.example/x',
    { 'See https://a.example/x': {} },
    'See https://a.example/x ?',
    'See https://a.example/x',
  ],
  ['no sentence', 'One.', {}, 'One.', 'One.'],
])('marks %s', (_, answer, parts, marked, cited) => {
  const text = markSentences(answer, sentencesOf(answer, parts));
  expect(shown(text)).toBe(marked);
  expect(withAddedCitations(text)).toBe(cited);
});

describe('withoutMarkdown', () => {
  it.each([
    ['# Lamp\n\n## Warranty ##', 'Lamp\n\nWarranty ##'],
    ['- one\n* two\n  + > three\n1. four', 'one\ntwo\nthree\n1. four'],
    ['**Two** *years*, ***really***', 'Two years, really'],
    ['`npm start` and ``a`', 'npm start and a'],
    ['See [the manual](https://a.example/b) [1].', 'See the manual [1].'],
    ['2 * 3 * 4, 2**8 and 3**8, a*b*c, file_name', '2 * 3 * 4, 2**8 and 3**8, a*b*c, file_name'],
    ['#1 of C# - and -5 degrees', '#1 of C# - and -5 degrees'],
    ['**unfinished', '**unfinished'],
  ])('shows %j', (text, shown) => {
    expect(withoutMarkdown(text)).toBe(shown);
  });
});

it('shows the conditions of a table', () => {
  const conditions = [
    { column: 'Customer', is: ['Müller GmbH', 7] },
    { column: 'Date', within: [{ from: '2026-05-01', to: '2026-06-01' }] },
  ];
  expect(conditionTexts({ conditions }, 'en')).toEqual([
    'Customer = Müller GmbH or 7',
    expect.stringMatching(/^Date = May 1\W+31, 2026$/),
  ]);
});
