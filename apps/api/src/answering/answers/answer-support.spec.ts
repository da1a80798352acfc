import { AnalyzedQuestion, tableEvidence } from '@citewell/retrieval';
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

describe('with results of queries', () => {
  const ROWS = ['Order | Date | Customer | Amount', '1001 | 2026-05-15 | Müller GmbH | 100.50 €'].join('\n');
  const passage = { text: ROWS, headingPath: [], datasourceName: 'orders.csv' };
  const may = "SELECT count(*), sum(amount) FROM t1 WHERE customer = 'Müller GmbH' AND date LIKE '2026-05-%'";
  const columns = [{ name: 'count(*)' }, { name: 'sum(amount)', unit: 'EUR' }];
  const ask = 'How many orders did Müller GmbH place in May 2026, and for how much?';

  it.each<[question: string, sql: string, rows: (string | number)[][], answer: string, supported: boolean[]]>(
    [
      [ask, may, [[12, 1404]], 'Müller GmbH placed 12 orders in May 2026, worth €1,404.00 [1].', [true]],
      [ask, may, [[12, 1404]], 'Müller GmbH placed 13 orders in May 2026, worth €1,404.00 [1].', [false]],
      [ask, may, [[12, 1404]], 'Müller GmbH placed 12 orders in May 2026, worth $1,404.00 [1].', [false]],
      [ask, may, [[12, 1404]], 'Müller GmbH placed 12 orders in June 2026 [1].', [false]],
      [ask, may, [[12, 1404]], '12 [1]', [true]],
      [ask, may, [[12, 1404]], '15 [1]', [false]],
      // 1,404 / 12
      [ask, may, [[12, 1404]], 'An order of Müller GmbH was worth 117 € in May 2026 [1].', [true]],
      ['Were there 15 orders in May?', may, [[12, 1404]], 'Yes, there were 15 orders in May [1].', [false]],
      [
        'Were there twelve orders in May?',
        may,
        [[9, 1404]],
        'Yes, there were twelve orders in May [1].',
        [false],
      ],
      [
        'Wie viele Bestellungen gab es im Mai?',
        may,
        [[12, 1404]],
        'Es gab 12 Bestellungen im Mai [1].',
        [true],
      ],
      [
        'Wie viele Bestellungen gab es im Mai?',
        may,
        [[12, 1404]],
        'Es gab 21 Bestellungen im Mai [1].',
        [false],
      ],
      // Hardly a word of the question.
      [ask, may, [[12, 1404]], 'The total is 12 [1].', [true]],
      [ask, may, [[12, 1404]], 'The total is 1001 [1].', [false]],
      [ask, may, [[12, 1404]], 'Overall, Dupont SA sent 12 of them [1].', [false]],
      // A passage supports one sentence, and the result the other.
      [
        ask,
        may,
        [[12, 1404]],
        'There were 12 orders [1]. Order 1001 of Müller GmbH is of 2026-05-15 [1].',
        [true, true],
      ],
      [ask, may, [], 'There were 0 orders of Müller GmbH in May 2026 [1].', [true]],
      [
        'Which customer has most orders?',
        'SELECT customer FROM t1',
        [['Dupont SA']],
        'Dupont SA has most orders [1].',
        [true],
      ],
      [
        'Which customer has most orders?',
        'SELECT customer FROM t1',
        [['Dupont SA']],
        'Schmidt AG has most orders [1].',
        [false],
      ],
    ],
  )('%s %s %j: %s', (question, sql, rows, answer, supported) => {
    const asked = [new AnalyzedQuestion(question)];
    const evidence = tableEvidence(asked, { sql, names: ['orders.csv'], columns, rows });
    const { sentences } = supportOf(asked, answer, [passage], '', new Map([[1, evidence]]));
    expect(sentences?.map((sentence) => sentence.supported)).toEqual(supported);
  });
});
