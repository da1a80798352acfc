import { describe, expect, it } from '@jest/globals';
import { documentsMeant, isAboutEverything, wholeDocumentQuestion } from './whole-document-question.js';

/** Whether a question is about a whole document, whatever the documents are called. */
const asksAboutWholeDocument = (question: string): boolean =>
  wholeDocumentQuestion(question)?.names.length === 0;

describe('wholeDocumentQuestion', () => {
  for (const question of [
    'What is it about?',
    'What’s this about?',
    'What is this document about?',
    'Summarize this document',
    'Can you give me a brief summary of the contract?',
    'Give me a summary',
    'Worum geht es?',
    'Worum geht es in dem Vertrag?',
    'Fasse das Dokument zusammen',
    'Können Sie mir das kurz zusammenfassen?',
    'Was steht in dem Dokument?',
    'De quoi parle ce document ?',
    'De quoi s’agit-il ?',
    '¿De qué trata?',
    '¿De qué trata este documento?',
    'Di cosa parla il documento?',
    'Do que trata este documento?',
    'О чём этот документ?',
    'عن ماذا يتحدث هذا المستند؟',
    '这份文件讲的是什么？',
    '总结一下',
    '请概括这篇文章的主要内容',
    'この文書は何についてですか',
    'この文書を要約してください',
    '이 문서는 무엇에 관한 것입니까?',
    '요약해 주세요',
  ]) {
    it(`accepts: ${question}`, () => expect(asksAboutWholeDocument(question)).toBe(true));
  }

  for (const question of [
    '',
    '?!',
    'Hello!',
    'Hi',
    'Thank you',
    'to be or not to be',
    'Who are you?',
    'What can you do?',
    'Who signs the contract?',
    'Where is the contract?',
    'How many pages does the document have?',
    'What is a document?',
    'Welche Dokumente muss ich haben?',
    'What should I do with the files?',
    'Qu’est-ce qu’un fichier ?',
    'Summarize chapter 3',
    'What is the notice period?',
    'Hallo!',
    'Was kostet die Wohnung?',
    'Wer hat den Vertrag unterschrieben?',
    '¿Cuánto cuesta?',
    '你好',
    '谁签合同？',
    '滤网可以洗吗？',
    'こんにちは',
    '契約はいつですか',
    '안녕하세요',
  ]) {
    it(`rejects: ${question}`, () => expect(asksAboutWholeDocument(question)).toBe(false));
  }
});

const DOCUMENTS = [
  'annual-report-2025.pdf',
  'Lindholm_contract.docx',
  'Aker contract.docx',
  'minutes_2024-03-12.pdf',
  'Jahresbericht.pdf',
  '项目计划.md',
  'price list.xlsx',
  'Handbuch.pdf',
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
  ['Sum up the annual report', ['annual-report-2025.pdf']],
  ['Can you please sum the annual report up for me?', ['annual-report-2025.pdf']],
  ['tl;dr of the minutes', ['minutes_2024-03-12.pdf']],
  ['TLDR the minutes', ['minutes_2024-03-12.pdf']],
  ['Give me the gist of the Lindholm contract', ['Lindholm_contract.docx']],
  ['What are the key points of the annual report?', ['annual-report-2025.pdf']],
  ['Main takeaways from the minutes, please', ['minutes_2024-03-12.pdf']],
  ['The price list in a nutshell', ['price list.xlsx']],
  ['Summarize the annual report in three sentences', ['annual-report-2025.pdf']],
  ['Walk me through the annual report', ['annual-report-2025.pdf']],
  ['What does the annual report say?', ['annual-report-2025.pdf']],
  ['What does the annual report say about wages?', null],
  ['What’s in the minutes?', ['minutes_2024-03-12.pdf']],
  ['What is in the box?', null],
  ['Kernaussagen des Jahresberichts', ['Jahresbericht.pdf']],
  ['Was sind die wichtigsten Punkte im Jahresbericht?', ['Jahresbericht.pdf']],
  ['Fasse den Jahresbericht in drei Sätzen zusammen', ['Jahresbericht.pdf']],
  ['Was steht im Jahresbericht?', ['Jahresbericht.pdf']],
  ['Quels sont les points clés du contrat Lindholm ?', ['Lindholm_contract.docx']],
  ['Fais la synthèse du contrat Lindholm', ['Lindholm_contract.docx']],
  ['¿Cuáles son los puntos clave del contrato Lindholm?', ['Lindholm_contract.docx']],
  ['En pocas palabras, el contrato Lindholm', ['Lindholm_contract.docx']],
  ['项目计划的要点是什么？', ['项目计划.md']],
  ['用三句话总结项目计划', ['项目计划.md']],
  ['项目计划讲了什么？', ['项目计划.md']],
  ['Summarize the manual', ['Handbuch.pdf']],
  ['Fasse das Protokoll zusammen', ['minutes_2024-03-12.pdf']],
  ['Explain the Lindholm contract in two short sentences', ['Lindholm_contract.docx']],
  ['What is the notice period in the Lindholm contract in one sentence?', null],
  ['年度报告用50字概括', null],
  ['What is the sum of the price list?', null],
  ['Does the price list go up?', null],
  ['What are the key points of the refund policy?', null],
  ['Which key is in the minutes?', null],
  ['Key points', DOCUMENTS],
  ['tl;dr', DOCUMENTS],
  ['Sum it up', DOCUMENTS],
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

it.each<[string, boolean, boolean]>([
  // In the first message, and inside of a conversation.
  ['What is in my documents?', true, true],
  ['Which documents do you have?', true, true],
  ['How many files are there?', true, true],
  ['List all documents', true, true],
  ['Was steht in meinen Dokumenten?', true, true],
  ['Welche Dateien gibt es?', true, true],
  ['Quels sont les documents ?', true, true],
  ['¿Qué hay en mis documentos?', true, true],
  ['我的文档里有什么？', true, false],
  ['What is this about?', true, false],
  ['Summarize it', true, false],
  ['And what is this document about?', true, false],
  ['Fasse es zusammen', true, false],
  // One document, a fact, a place, or a subject.
  ['Summarize the report', false, false],
  ['How many pages does the document have?', false, false],
  ['Who wrote the documents?', false, false],
  ['Who has the files?', false, false],
  ['Where are my documents?', false, false],
  ['How do I list files?', false, false],
  ['Which documents mention pumps?', false, false],
  ['Welche Dokumente brauche ich für den Antrag?', false, false],
  ['Where is the library?', false, false],
  ['What is a library?', false, false],
  ['Hello!', false, false],
  ['', false, false],
  // What can be asked.
  ['What can I ask?', true, true],
  ['Was kann ich fragen?', true, true],
  ['Que puis-je demander ?', true, true],
  ['What topics do the documents cover?', true, true],
  ['Can you list all documents?', true, true],
  ['Résume tous les documents', true, true],
  // What must, may or can be done, and any document.
  ['Welche Dokumente muss ich haben?', false, false],
  ['Quels documents faut-il ?', false, false],
  ['How many documents can I have?', false, false],
  ['What should I do with the files?', false, false],
  ['What must I ask?', false, false],
  ['Quels documents demander ?', false, false],
  ['Who can I ask?', false, false],
  ['What information do you need?', false, false],
  ['What is a file?', false, false],
  ['Was ist eine Datei?', false, false],
  ['What are files for?', false, false],
  ['What is in the contract with Meyer?', false, false],
  ['List all documents that an applicant must bring', false, false],
])('whether %j is about everything: %j, later %j', (question, first, later) =>
  expect([isAboutEverything(question, true), isAboutEverything(question, false)]).toEqual([first, later]),
);
