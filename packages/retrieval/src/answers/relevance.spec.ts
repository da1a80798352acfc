import { describe, expect, it } from '@jest/globals';
import { isRelevant } from './relevance.js';

const refunds = {
  text: 'Refunds are paid within five days after the returned goods have arrived at our warehouse in Bremen.',
};

describe('isRelevant', () => {
  it('accepts a hit with the main terms of the question', () => {
    expect(isRelevant('How long do refunds take to be paid?', refunds)).toBe(true);
    expect(isRelevant('Where is the warehouse?', refunds)).toBe(true);
    expect(isRelevant('退款多久到账？', { text: '退款会在五天之内到账。' })).toBe(true);
    expect(
      isRelevant('Какой срок возврата денег?', {
        text: 'Возврат денег занимает пять дней, это обычный срок.',
      }),
    ).toBe(true);
  });

  it('ignores the function words of a question', () => {
    const filter = { text: '滤网更换\n滤网的使用寿命约为六个月。滤网不可用水清洗。' };
    for (const question of [
      '滤网多久换一次？',
      '滤网可以洗吗？',
      '滤网能洗吗？',
      '滤网该怎样换？',
      '滤网要换几次？',
    ]) {
      expect([question, isRelevant(question, filter)]).toEqual([question, true]);
      expect([question, isRelevant(question, refunds)]).toEqual([question, false]);
    }
    expect(isRelevant('Darf ich eine Katze halten?', { text: 'Das Halten von Katzen ist erlaubt.' })).toBe(
      true,
    );
    expect(isRelevant('Darf ich eine Katze haben?', { text: 'Katzen sind erlaubt.' })).toBe(true);
    expect(isRelevant('有什么功能？', { text: '主要功能如下' })).toBe(true);
  });

  it('rejects every hit for a question of function words only', () => {
    for (const question of [
      'What is it?',
      'How are the one and the other?',
      'to be or not to be',
      'Was ist das?',
      '这是什么？',
      '???',
      '',
    ]) {
      expect([
        question,
        isRelevant(question, { ...refunds, lexicalScore: 1, cosine: 1 }, { minCosine: 0.5 }),
      ]).toEqual([question, false]);
    }
  });

  it('rejects a hit that shares only function words or a single common word', () => {
    expect(isRelevant('What is the capital of Mongolia?', refunds)).toBe(false);
    expect(
      isRelevant('What is the capital of Mongolia?', { text: 'The company has a share capital of 50,000.' }),
    ).toBe(false);
    expect(isRelevant('Who invented the telephone within the days of Queen Victoria?', refunds)).toBe(false);
    expect(isRelevant('法国的首都在哪里？', { text: '退款会在五天之内到账。' })).toBe(false);
  });

  it('includes the terms of the header', () => {
    expect(
      isRelevant('What are the fees for parking?', { text: '5 euro an hour', header: 'Parking > Fees' }),
    ).toBe(true);
  });

  it('accepts a hit with a high lexical score, or with a cosine above minCosine', () => {
    const question = 'Who pays refunds when goods break on the road?';
    const hit = { text: 'Refunds: see below.' };
    expect(isRelevant(question, hit)).toBe(false);
    expect(isRelevant(question, { ...hit, cosine: 0.9 })).toBe(false);
    expect(isRelevant(question, { ...hit, cosine: 0.9 }, { minCosine: 0.6 })).toBe(true);
    expect(isRelevant(question, { text: 'Refunds for goods.', lexicalScore: 0.6 })).toBe(true);
  });
});
