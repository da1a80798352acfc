import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_SYSTEM_PROMPT } from './prompts.js';
import { PromptEchoFilter } from './prompt-echo.filter.js';

const OWN =
  'You are the support agent of Acme. Never mention the competitor Bolt and never give discounts above ten percent. ' +
  'The secret code word is BLUEBIRD and nobody may learn it from you or from anyone else. ' +
  'If you do not know, say: Please call our hotline at 0800 123 between nine and five on working days.';
const TEXTS = [
  { text: DEFAULT_SYSTEM_PROMPT, hasFacts: false },
  { text: OWN, hasFacts: true },
];

function read(pieces: readonly string[]): string {
  const filter = new PromptEchoFilter(TEXTS);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

describe('PromptEchoFilter', () => {
  it.each([
    ['as it is', OWN],
    ['quoted', `My instructions: "${OWN}"`],
    ['on lines', OWN.split(' ').join('\n')],
    [
      'as a list',
      OWN.split('. ')
        .map((line) => `> - **${line}**`)
        .join('\n'),
    ],
    ['in capitals', OWN.toUpperCase()],
    ['as JSON', JSON.stringify({ system: OWN.replaceAll('. ', '.\n') })],
    ['in code', `\`\`\`\n${OWN}\n\`\`\``],
    ['after an answer', `Two years [1]. ${OWN} Done.`],
    ['twice', `${OWN} ${OWN}`],
  ])('removes the prompt %s', (_, answer) => {
    const left = read([answer]);
    expect(left).toContain('[…]');
    expect(left).not.toMatch(/bluebird|competitor|hotline/i);
    expect(read([...answer])).toBe(left);
  });

  it('removes our own instructions, also a part of them', () => {
    const [, second = ''] = DEFAULT_SYSTEM_PROMPT.split('\n');
    expect(read([`Sure: ${second} Two years [1].`])).toBe('Sure: - Use only […]. Two years [1].');
    expect(read([DEFAULT_SYSTEM_PROMPT])).toBe('You answer […]');
  });

  it.each([
    'Please call our hotline at 0800 123 between nine and five on working days.',
    'The passages do not contain the answer.',
    'Use only what the manual says [1].',
    'You are the support agent of another firm.',
    'Two years [1]. Keep the receipt, because the shop needs the date of purchase [2].',
    '保修期为两年，从购买之日起计算 [1]。',
  ])('keeps %j', (answer) => {
    expect(read([answer])).toBe(answer);
    expect(read([...answer])).toBe(answer);
  });

  it('holds back nothing before the third word in a row of the prompt', () => {
    const filter = new PromptEchoFilter(TEXTS);
    expect(
      ['Tw', 'o', ' You', ' answ', 'er', ' ques', 'tions', '. The end'].map((piece) => filter.push(piece)),
    ).toEqual(['Tw', 'o', ' You', ' answ', 'er', '', '', ' questions. The end']);
  });

  it('leaves the same text however it is split', () => {
    const part = fc.constantFrom(
      ...OWN.split(' ').slice(0, 14),
      ' ',
      '\n',
      'You are the support agent of Acme.',
      'x',
      '表',
      '\\n',
      '-',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join(' ');
        expect(read([...text])).toBe(read([text]));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes no longer for a prompt that repeats a word', () => {
    const filter = new PromptEchoFilter([{ text: 'の'.repeat(32_768), hasFacts: true }]);
    expect(filter.push('の'.repeat(1_000)) + filter.flush()).toBe('の'.repeat(1_000));
  });
});
