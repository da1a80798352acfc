import { type Attack, slowAttacks } from '@citewell/testing/slow-attacks';
import { describe, expect, it } from '@jest/globals';
import { ReasoningFilter } from './reasoning/reasoning.filter.js';
import { ReasoningMemory } from './reasoning/reasoning-memory.js';
import { openaiAddressOfOllama } from './providers.js';

/** With the longest text that each gets. */
const FUNCTIONS: readonly (readonly [name: string, length: number, call: (text: string) => unknown])[] = [
  ['the address of a server', 2_000, (text) => openaiAddressOfOllama(text)],
  ['a prompt', 40_000, (content) => new ReasoningMemory('x').ruleFor([{ role: 'user', content }])],
];

const ATTACKS: readonly Attack[] = [
  ['<answer>', ' ', ''],
  ['<answer>', '</answer> ', 'x'],
  ['<answer>', '<', ''],
  ['', ' ', '<answer>'],
  ['', '/', 'x'],
  ['', '`a', ''],
  ['', '`', '\n'],
  ['`', 'a', ''],
  ['', '```\n', ''],
  ['1', '1', '```'],
  ['<think>', '`</think>', ''],
  ['<think>', '<', ''],
  ['', '<think>', ''],
  ['', '</think', ''],
  ['', '[/', ''],
  ['', 'assistantfina', ''],
  ['**Thinking**\n', '**', ''],
  ['**Thinking**\n', 'x\n', ''],
  ['# ', '\t', 'x'],
  ['<details>', ' ', ''],
  ['<|channel|>', '<|', ''],
];

/** 20 µs per character. */
const FILTERED = { length: 6_000, limitMs: 120 };

// The time for which a hostile text blocks the event loop is the behavior.
describe('hostile text', () => {
  it.each(FUNCTIONS)('blocks the event loop for at most 50 ms in %s', async (_, length, call) => {
    expect(await slowAttacks(ATTACKS, { length, limitMs: 50 }, call)).toEqual([]);
  });

  it.each(['clear', 'start', 'always'] as const)(
    'takes at most 20 µs per character in the filter of reasoning, if it holds back by the rule %s',
    async (rule) => {
      const run = (text: string, size: number): void => {
        const filter = new ReasoningFilter(rule);
        for (let at = 0; at < text.length; at += size) filter.push(text.slice(at, at + size));
        filter.flush();
      };
      expect(await slowAttacks(ATTACKS, FILTERED, (text) => run(text, 1))).toEqual([]);
      expect(await slowAttacks(ATTACKS, FILTERED, (text) => run(text, Infinity))).toEqual([]);
    },
  );
});
