import { describe, expect, it } from '@jest/globals';
import { ReasoningFilter } from './reasoning.filter.js';
import { ReasoningMemory } from './reasoning-memory.js';

const QUESTION = 'How long is the warranty?';
const QUOTING = 'Write "x </think> y".';

/** Reads an answer that ends so. @returns its text */
function answer(memory: ReasoningMemory, question: string, text: string, finish: 'stop' | 'length'): string {
  const filter = new ReasoningFilter(memory.ruleFor([{ role: 'user', content: question }]));
  let shown = filter.push(text).text;
  shown += filter.flush({ startsInReasoning: memory.isCutReasoning(filter, finish) }).text;
  memory.learn(filter, finish);
  return shown;
}

describe('ReasoningMemory', () => {
  it('learns nothing from an answer that may quote an end mark', () => {
    const memory = new ReasoningMemory('chat');
    for (let times = 0; times < 3; times += 1) answer(memory, QUOTING, 'Okay, x </think> y', 'stop');
    expect(memory.ruleFor([{ role: 'user', content: QUESTION }])).toBe('aloud');
    expect(answer(memory, QUESTION, 'Okay, two', 'length')).toBe('Okay, two');
  });

  it.each([
    ['one lone end', ['x </think> y'], 'Okay, two'],
    ['two lone ends', ['x </think> y', 'x </think> y'], ''],
    ['two that an answer without reasoning separates', ['x </think> y', 'Two.', 'x </think> y'], 'Okay, two'],
    ['one that follows thinking aloud', ['Okay, x </think> y'], ''],
  ])('knows cut reasoning after %s', (_, before, shown) => {
    const memory = new ReasoningMemory('chat');
    for (const text of before) answer(memory, QUESTION, text, 'stop');
    expect(answer(memory, QUESTION, 'Okay, two', 'length')).toBe(shown);
  });

  it.each([
    ['a lone end mark by chance', ['x </think> y'], ['start', 'aloud']],
    ['a second one', ['x </think> y', 'x </think> y'], Array.from({ length: 10 }, () => 'start')],
    [
      'a lone end mark after thinking aloud',
      ['Okay, x </think> y'],
      Array.from({ length: 10 }, () => 'start'),
    ],
    ['reasoning with its begin mark', ['<think>x</think>y'], Array.from({ length: 10 }, () => 'start')],
  ])('holds back the next answers after %s', (_, before, rules) => {
    const memory = new ReasoningMemory('chat');
    for (const text of before) answer(memory, QUESTION, text, 'stop');
    for (const rule of rules) {
      expect(memory.ruleFor([{ role: 'user', content: QUESTION }])).toBe(rule);
      answer(memory, QUESTION, 'Two years.', 'stop');
    }
    expect(memory.ruleFor([{ role: 'user', content: QUESTION }])).not.toBe('start');
  });

  it('keeps a cut answer that does not think aloud', () => {
    const memory = new ReasoningMemory('chat');
    for (let times = 0; times < 3; times += 1) answer(memory, QUESTION, 'x </think> y', 'stop');
    expect(answer(memory, QUESTION, 'Two years', 'length')).toBe('Two years');
  });
});
