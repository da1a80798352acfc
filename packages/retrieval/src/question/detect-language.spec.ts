import { describe, expect, it } from '@jest/globals';
import {
  abstention,
  modelFailedMessage,
  noModelMessage,
  passagesMessage,
} from '../answers/answer-messages.js';
import { LANGUAGES, type Language } from './function-words.js';
import { detectLanguage, firstLanguage } from './detect-language.js';

const QUESTIONS: Readonly<Record<Language, string>> = {
  en: 'What is the notice period?',
  de: 'Wie lang ist die Kündigungsfrist?',
  fr: 'Quel est le délai de préavis ?',
  es: '¿Cuál es el plazo de preaviso?',
  it: 'Qual è il periodo di preavviso?',
  pt: 'Qual é o prazo de aviso prévio?',
  ru: 'Какой срок уведомления?',
  zh: '通知期是多久？',
  ja: '解約予告期間はどのくらいですか？',
  ko: '해지 통지 기간은 얼마입니까?',
  ar: 'ما هي مدة الإشعار؟',
};

describe('detectLanguage', () => {
  for (const language of LANGUAGES) {
    it(`detects ${language}`, () => expect(detectLanguage(QUESTIONS[language])).toBe(language));
    it(`detects the language of the product's own messages in ${language}`, () => {
      expect(detectLanguage(abstention(QUESTIONS[language]))).toBe(language);
      for (const message of [modelFailedMessage, noModelMessage, passagesMessage])
        for (const hasTables of [false, true])
          expect(detectLanguage(message(language, hasTables))).toBe(language);
    });
  }

  it.each<[string, Language]>([
    ['Hallo', 'de'],
    ['Guten Tag!', 'de'],
    ['Bonjour', 'fr'],
    ['Salut !', 'fr'],
    ['¡Hola!', 'es'],
    ['hola', 'es'],
    ['Buenas tardes', 'es'],
    ['Ciao', 'it'],
    ['Olá', 'pt'],
    ['Hello!', 'en'],
    ['Hi', 'en'],
    // Names and words of other languages.
    ['Bonjour configuration', 'en'],
    ['Hello, what is Bonjour?', 'en'],
  ])('detects the language of the greeting %j: %j', (text, language) =>
    expect(detectLanguage(text)).toBe(language),
  );

  it('returns English for unknown languages', () => {
    for (const text of ['', '42', 'xyzzy', 'Який термін попередження?', 'مدت اطلاع‌رسانی چقدر است؟']) {
      expect([text, detectLanguage(text)]).toEqual([text, 'en']);
    }
  });

  it.each<[texts: string[], language: Language]>([
    [['Fiat 500?', QUESTIONS.de], 'de'],
    [[QUESTIONS.fr, QUESTIONS.de], 'fr'],
    [['Fiat 500?', '42', QUESTIONS.ja], 'ja'],
    [['Fiat 500?', '42'], 'en'],
    [[], 'en'],
  ])('finds the language of the first of %j that has a known one', (texts, language) => {
    expect(firstLanguage(texts)).toBe(language);
  });

  it('ignores names in another script', () => {
    expect(detectLanguage('Who was Лев Толстой and what did he write?')).toBe('en');
    expect(detectLanguage('Kubernetes 的网络策略是什么？')).toBe('zh');
  });
});
