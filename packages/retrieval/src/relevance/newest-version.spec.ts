import { describe, expect, it } from '@jest/globals';
import { analyze } from '../analysis/analyzer.js';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { termId } from '../sparse/sparse-encoder.js';
import { asksForNewest, newestFirst } from './newest-version.js';

describe('asksForNewest', () => {
  it.each<[question: string, isAsked: boolean]>([
    ['the latest version of the travel policy', true],
    ['current price list', true],
    ['Wo ist die aktuelle Preisliste?', true],
    ['die neueste Fassung der Richtlinie', true],
    ['la dernière version de la charte', true],
    ['la versión más reciente del manual', true],
    ['最新版の就業規則', true],
    ['最新的价格表', true],
    ['the latest policy of 2023', false],
    ['When must I register at the latest?', false],
    ['What is the notice period?', false],
    ['letzte Woche', false],
  ])('reads %j', (question, isAsked) => expect(asksForNewest(question)).toBe(isAsked));
});

describe('newestFirst', () => {
  it('lowers older versions to the score of newer ones, and raises none', () => {
    const found = [
      { name: 'Rules 2022', score: 0.9 },
      { name: 'FAQ', score: 0.8 },
      { name: 'Rules 2024', score: 0.7 },
    ];
    const view = ({ name }: { name: string }) => ({ name, terms: [] });
    expect(newestFirst(found, new AnalyzedQuestion('the latest rules'), view)).toEqual([
      { name: 'FAQ', score: 0.8 },
      { name: 'Rules 2024', score: 0.7 },
      { name: 'Rules 2022', score: 0.7 },
    ]);
  });

  it.each<[names: string[], ordered: string[]]>([
    [
      ['policy 2022.docx', 'FAQ', 'policy 2024.docx', 'policy 2023.docx'],
      ['policy 2024.docx', 'policy 2023.docx', 'policy 2022.docx', 'FAQ'],
    ],
    [
      ['Rules_v1.2.pdf', 'Rules_v1.10.pdf', 'Rules_v2.0.pdf'],
      ['Rules_v2.0.pdf', 'Rules_v1.10.pdf', 'Rules_v1.2.pdf'],
    ],
    [
      ['Protokoll 05.03.2025', 'Protokoll 07.02.2025'],
      ['Protokoll 05.03.2025', 'Protokoll 07.02.2025'],
    ],
    [
      ['Minutes May 2024', 'Minutes December 2023', 'Minutes July 2024'],
      ['Minutes July 2024', 'Minutes May 2024', 'Minutes December 2023'],
    ],
    [
      ['価格表_20240301', '価格表_20250101'],
      ['価格表_20250101', '価格表_20240301'],
    ],
    [
      ['handbook', 'handbook v2'],
      ['handbook v2', 'handbook'],
    ],
    [
      ['Preisliste Schweiz 2024', 'Preisliste Tirol 2025'],
      ['Preisliste Schweiz 2024', 'Preisliste Tirol 2025'],
    ],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ])('orders %j', (names, ordered) => expect(order('the latest version', names)).toEqual(ordered));

  it.each<[question: string, texts: Record<string, string>, first: string]>([
    [
      'What is the rated current of the small pump?',
      { 'Data sheet 100': 'Small pump. Rated current: 2 A', 'Data sheet 500': 'Press. Rated current: 6 A' },
      'Data sheet 100',
    ],
    [
      'What is the current account fee in the terms?',
      { 'Terms 1': 'Current account. Fee: 5', 'Terms 2': 'Savings account. Fee: 2' },
      'Terms 1',
    ],
    [
      'What does a tyre cost by the current price list?',
      { 'Price list 2023': 'Current prices. Tyre 80', 'Price list 2024': 'Prices. Tyre 85' },
      'Price list 2024',
    ],
    [
      'latest price list: oil change',
      { 'Price list 2023': 'Prices. Oil change 60', 'Price list 2024': 'Prices. Tyre 85' },
      'Price list 2023',
    ],
    [
      'Was steht in der aktuellen Richtlinie zu Hotels?',
      { 'Richtlinie 2022': 'Hotels bis 100', 'Richtlinie 2024': 'Hotels bis 140' },
      'Richtlinie 2024',
    ],
    [
      'What is the most recent order?',
      { 'Note 1': 'The order is old', 'Note 2': 'The order is new' },
      'Note 1',
    ],
  ])('%j of %j: %j', (question, texts, first) => {
    expect(order(question, Object.keys(texts), (name) => texts[name] ?? '')[0]).toBe(first);
  });
});

function order(
  question: string,
  names: readonly string[],
  textOf: (name: string) => string = () => '',
): string[] {
  const found = names.map((name) => ({ name, score: 0.9 }));
  return newestFirst(found, new AnalyzedQuestion(question), ({ name }) => ({
    name,
    terms: [...new Set(analyze(textOf(name)))].map(termId),
  })).map(({ name }) => name);
}
