import { describe, expect, it } from '@jest/globals';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { quoteAnswers } from './quote-answer.js';
import { quoteLines } from './quote-lines.js';

const passage = { documentName: 'orders.csv' };

describe('quoteLines', () => {
  it('draws rows of a table as one table, with nothing in its cells that is Markdown or a citation', () => {
    const lead = ['Orders', '…', 'No | City | Note', '…'];
    const lines = quoteLines([
      { number: 1, passage, lead, text: '1 | Ulm | see [2] *now*\n| Bern | <b>' },
      { number: 2, passage, lead: [], text: 'Orders are sent on Friday.' },
      { number: 3, passage, lead, text: '3 | Rome' },
    ]);
    expect(lines).toEqual([
      [
        'Orders [1][3]',
        '',
        '| No | City | Note |',
        '| --- | --- | --- |',
        String.raw`| 1 | Ulm | see \[2\] \*now\* |`,
        String.raw`|  | Bern | \<b> |`,
        '| 3 | Rome |  |',
      ].join('\n'),
      '“Orders are sent on Friday.” [2]',
    ]);
  });

  it('draws rows below a header that is quoted alone', () => {
    const text = ['No | City', '1 | Ulm', '2 | Bern', '3 | Rome', '4 | Bonn'].join('\n');
    const of = (row: string) =>
      quoteLines([{ number: 1, passage: { ...passage, text }, lead: [], text: row }])[0]
        ?.split('\n')
        .slice(2);
    expect(of('No | City')).toEqual([
      '| No | City |',
      '| --- | --- |',
      '| 1 | Ulm |',
      '| 2 | Bern |',
      '| 3 | Rome |',
    ]);
    expect(of('2 | Bern')).toEqual(['| 2 | Bern |', '| --- | --- |']);
  });
});

describe('quoteAnswers with rows of tables', () => {
  const passages = [
    { text: 'No | City\n1 | Ulm\n2 | Bern', start: 0 },
    { text: 'Ulm is on the Danube.', start: 0 },
  ];
  const asked = (numbers: number[], tables: { text: string; number: number; numbers: number[] }[]) => ({
    question: new AnalyzedQuestion('Where is Ulm?'),
    numbers,
    tables,
  });

  it('does not quote the rows of the same document, and begins with the document of the best passage', () => {
    const table = { text: '**1 row** [1]', number: 1, numbers: [1] };
    const { answer, cited } = quoteAnswers([asked([1, 2], [table])], passages, { firstLine: 'First' });
    expect(answer).toBe('First\n\n**1 row** [1]\n\n“Ulm is on the Danube.” [2]');
    expect(cited).toEqual(new Set([1, 2]));
  });

  it('answers each question of a message with its own tables', () => {
    const table = { text: '**1 row** [1]', number: 1, numbers: [1] };
    const { answer } = quoteAnswers([asked([2], []), asked([1], [table])], passages, { firstLine: 'First' });
    expect(answer).toBe(
      'First\n\nWhere is Ulm?\n\n“Ulm is on the Danube.” [2]\n\nWhere is Ulm?\n\n**1 row** [1]',
    );
  });
});
