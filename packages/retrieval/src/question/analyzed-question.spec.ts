import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnalyzedQuestion, encodeQueryTerms } from './analyzed-question.js';
import { termId } from '../sparse/sparse-encoder.js';

it('AnalyzedQuestion is analyzed once', () => {
  const question = new AnalyzedQuestion('Where does Perl 5 keep modules?');
  expect(question.terms).toEqual(expect.arrayContaining(['perl', '5', 'keep', 'modul']));
  expect(question.terms).toBe(question.terms);
  expect(question.weights).toBe(question.weights);
});

it('AnalyzedQuestion weighs the background by a quarter, and by half of the question at most', () => {
  const weightsOf = (background: string) => [
    ...new AnalyzedQuestion('Is memory short?', { background }).backgroundWeights,
  ];
  expect(weightsOf('')).toEqual([]);
  expect(weightsOf('a huge matrix of short rows')).toEqual([
    ['huge', 0.25],
    ['matrix', 0.25],
    ['row', 0.25],
  ]);
  const many = weightsOf('one huge sparse matrix has rows, columns, entries, zeros, blocks');
  expect(many.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1);
});

it('AnalyzedQuestion weighs capitalised words inside a sentence, whatever is before them', () => {
  const spaces = ' '.repeat(1_000);
  const weightOf = (text: string, term: string) => new AnalyzedQuestion(text).weights.get(term);
  expect([
    weightOf(`keep${spaces}Modules`, 'modul'),
    weightOf(`keep "Modules`, 'modul'),
    weightOf(`keep.${spaces}Modules`, 'modul'),
    weightOf('Modules keep', 'modul'),
    weightOf('kéep\n\t2', '2'),
  ]).toEqual([1.5, 1.5, 1, 1, 1.5]);
});

function weightOf(vector: { indices: number[]; values: number[] }, term: string): number | undefined {
  return vector.values[vector.indices.indexOf(termId(term))];
}

describe('encodeQueryTerms', () => {
  it('returns strictly ascending uint32 ids and finite, positive weights', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { indices, values } = encodeQueryTerms(new AnalyzedQuestion(text));
        expect(indices).toHaveLength(values.length);
        indices.forEach((id, i) => {
          expect(
            Number.isInteger(id) && id >= 0 && id < 2 ** 32 && (i === 0 || id > (indices[i - 1] ?? 0)),
          ).toBe(true);
        });
        expect(values.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
      }),
    );
  });

  it('has the terms of the background with a lower weight', () => {
    const vector = encodeQueryTerms(new AnalyzedQuestion('save memory', { background: 'a sparse matrix' }));
    expect(['save', 'memori', 'spars', 'matrix'].map((term) => weightOf(vector, term))).toEqual([
      1, 1, 0.25, 0.25,
    ]);
  });

  it.each<[name: string, question: string, weights: Readonly<Record<string, number>>]>([
    ['drops function words', 'How do I change the colour of a line?', { chang: 1, color: 1, line: 1 }],
    ['drops function words of the language', 'Wie kann ich die Farbe sehen?', { farb: 1.5, sehen: 1 }],
    ['counts repeated terms', 'wings of the wing in a flow', { wing: 2, flow: 1 }],
    ['weighs names and numbers', 'Where does Perl 5 keep modules?', { perl: 1.5, 5: 1.5, keep: 1, modul: 1 }],
    ['keeps every bigram', '什么是飞机', { 什么: 1, 么是: 1, 是飞: 1, 飞机: 1 }],
    ['keeps a question of function words', 'Who are you?', { who: 1, you: 1 }],
    ['returns an empty vector without terms', 'of the', {}],
  ])('%s', (_, question, weights) => {
    const analyzed = new AnalyzedQuestion(question);
    const vector = encodeQueryTerms(analyzed);
    expect(vector.indices).toHaveLength(Object.keys(weights).length + analyzed.variantWeights.size);
    for (const [term, weight] of Object.entries(weights))
      expect([term, weightOf(vector, term)]).toEqual([term, weight]);
  });
});
