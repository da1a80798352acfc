import { describe, expect, it } from '@jest/globals';
import { documentsMeant } from './documents-meant.js';
import { wholeDocumentQuestion } from './whole-document-question.js';

const DOCUMENTS = [
  'annual-report-2025.pdf',
  'Lindholm_contract.docx',
  'Aker contract.docx',
  'minutes_2024-03-12.pdf',
  'Jahresbericht.pdf',
  '项目计划.md',
  'price list.xlsx',
];

const CASES: readonly (readonly [question: string, meant: readonly string[] | null])[] = [
  ['Summarise the report', ['annual-report-2025.pdf']],
  ['Give me a summary of the annual report', ['annual-report-2025.pdf']],
  ['Summarize annual-report-2025.pdf', ['annual-report-2025.pdf']],
  ['What is the contract about?', ['Lindholm_contract.docx', 'Aker contract.docx']],
  ['Summarize the contracts', ['Lindholm_contract.docx', 'Aker contract.docx']],
  ['What is the Lindholm contract about?', ['Lindholm_contract.docx']],
  ['Summarize the Lindholm and the Aker contract', ['Lindholm_contract.docx', 'Aker contract.docx']],
  ['Can you summarize the minutes of March 2024?', ['minutes_2024-03-12.pdf']],
  ['Fasse den Bericht zusammen', ['Jahresbericht.pdf']],
  ['Worum geht es in der Preisliste?', null],
  ['总结项目计划', ['项目计划.md']],
  ['Summarize the refund policy', null],
  ['Summarize chapter 3', null],
  ['Summarize this document', DOCUMENTS],
  ['What is it about?', DOCUMENTS],
];

describe('documentsMeant', () => {
  for (const [question, meant] of CASES) {
    it(question, () => {
      const whole = wholeDocumentQuestion(question);
      const found =
        whole &&
        documentsMeant(
          whole,
          DOCUMENTS.map((name) => ({ name })),
        );
      expect(found?.map(({ name }) => name) ?? null).toEqual(meant);
    });
  }
});
