import { AnalyzedQuestion } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import { frameLines, isUnsupported, supportOf } from './answer-support.js';

const QUESTIONS = [new AnalyzedQuestion('Tell me about the pump')];
const PASSAGES = [
  { text: 'The pump weighs 12 kg. Its housing is made of cast iron.' },
  { text: 'Repairs are made in our workshop in Bergen within a week.' },
];

describe('supportOf', () => {
  it('adds the citations that the model left out', () => {
    const answer = 'It weighs 12 kg [1]. Repairs are made in Bergen within a week. It is blue and shiny.';
    const { sentences, added, annotated } = supportOf(QUESTIONS, answer, PASSAGES);
    expect(sentences).toEqual([
      { start: 0, end: 20, supported: true, citations: [{ number: 1, added: false }] },
      { start: 21, end: 62, supported: true, citations: [{ number: 2, added: true }] },
      { start: 63, end: 84, supported: false, citations: [] },
    ]);
    expect([...added]).toEqual([2]);
    expect(annotated).toBe(
      'It weighs 12 kg [1]. Repairs are made in Bergen within a week. [2] It is blue and shiny.',
    );
  });

  it('leaves an answer alone whose sentences cite', () => {
    const answer = 'It weighs 12 kg [1]. The housing is made of cast iron [1], and repaired in Bergen [2].';
    const support = supportOf(QUESTIONS, answer, PASSAGES);
    expect([support.annotated, support.added.size, isUnsupported(support)]).toEqual([answer, 0, false]);
    expect(support.sentences?.every(({ citations }) => citations.every(({ added }) => !added))).toBe(true);
  });

  it.each([
    ['a sentence without support', 'It weighs 12 kg [1]. It is blue and shiny.', true],
    ['nothing that is stated', 'The answer is:', true],
    ['only supported sentences', 'Repairs are made in Bergen within a week.', false],
    ['another language', 'La pompe est livrée dans une boîte avec les joints.', false],
  ])('tells whether an answer with %s is unsupported', (_, answer, expected) => {
    expect(isUnsupported(supportOf(QUESTIONS, answer, PASSAGES))).toBe(expected);
  });
});

it('the frame has the labels of the passages and the lines of the default prompt', () => {
  const passage = { datasourceName: 'guide.md', headingPath: ['Fees'], page: 2 };
  expect(frameLines('What does it cost?', [passage])).toEqual([
    'From: guide.md › Fees (page 2)',
    'Passages, numbered, most relevant first:',
    'Question: What does it cost?',
  ]);
});
