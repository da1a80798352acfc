import { describe, expect, it } from '@jest/globals';
import { wholeDocumentQuestion } from './whole-document-question.js';

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
