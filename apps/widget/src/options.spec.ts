import { expect, it } from '@jest/globals';
import { readOptions } from './options.js';

const SURROUNDINGS = { server: 'https://answers.example/', languages: ['pt-BR', 'de-AT', 'en'] };
const REQUIRED = { agent: 'a', key: 'cw_1' };

it('options have defaults, and the first known language of the visitor', () => {
  expect(readOptions(REQUIRED, SURROUNDINGS)).toEqual({
    server: 'https://answers.example/',
    agentId: 'a',
    key: 'cw_1',
    mode: 'launcher',
    theme: 'auto',
    position: 'right',
    accent: null,
    title: null,
    greeting: null,
    language: 'de',
  });
});

it.each([
  [{ theme: 'dark' }, { theme: 'dark' }],
  [{ theme: 'pink' }, { theme: 'auto' }],
  [
    { mode: 'page', position: 'left' },
    { mode: 'page', position: 'left' },
  ],
  [{ lang: 'ja' }, { language: 'ja' }],
  [{ lang: 'zh-Hant-TW' }, { language: 'zh' }],
  [{ lang: 'xx' }, { language: 'de' }],
  [
    { title: '', accent: '#0a0' },
    { title: null, accent: '#0a0' },
  ],
])('options of %j', (data, expected) => {
  expect(readOptions({ ...REQUIRED, ...data }, SURROUNDINGS)).toMatchObject(expected);
});

it('an agent and a key are required', () => {
  for (const data of [{ agent: 'a' }, { key: 'k' }, {}])
    expect(() => readOptions(data, SURROUNDINGS)).toThrow(/data-agent and data-key/);
});
