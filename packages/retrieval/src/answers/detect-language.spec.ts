import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { abstention, noModelMessage } from './answer-messages.js';
import { LANGUAGES, type Language } from './function-words.js';
import { detectLanguage } from './detect-language.js';

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
    it(`detects ${language}`, () => assert.equal(detectLanguage(QUESTIONS[language]), language));
    it(`detects the language of the product's own messages in ${language}`, () => {
      assert.equal(detectLanguage(abstention(QUESTIONS[language])), language);
      assert.equal(detectLanguage(noModelMessage(QUESTIONS[language])), language);
    });
  }

  it('returns English for unknown languages', () => {
    for (const text of ['', '42', 'xyzzy', 'Який термін попередження?', 'مدت اطلاع‌رسانی چقدر است؟']) {
      assert.equal(detectLanguage(text), 'en', text);
    }
  });

  it('ignores names in another script', () => {
    assert.equal(detectLanguage('Who was Лев Толстой and what did he write?'), 'en');
    assert.equal(detectLanguage('Kubernetes 的网络策略是什么？'), 'zh');
  });
});
