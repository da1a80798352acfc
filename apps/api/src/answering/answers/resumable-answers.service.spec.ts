import type { StoredAnswer } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { followStoredAnswer } from './resumable-answers.service.js';

it.each<[title: string, texts: string[], sent: string[]]>([
  ['an answer that grows', ['', 'Two', 'Two', 'Two years', 'Two years.'], ['Two', ' years', '.']],
  ['a retracted beginning', ['Let me think', '', 'Two', 'Two years.'], ['Let me think', 'Two', ' years.']],
  [
    'a retraction between two readings',
    ['Let me think', 'Two years and', 'Two years and more.'],
    ['Let me think', 'Two years and', ' more.'],
  ],
  ['a shorter text after a retraction', ['Let me think', 'Two.'], ['Let me think', 'Two.']],
  ['a retraction to nothing', ['Let me think', ''], ['Let me think']],
  ['an answer that has ended', ['Two years.'], ['Two years.']],
])('sends %s', async (_, texts, sent) => {
  const rows = texts.map(
    (text, index) =>
      ({ message: { text, state: index === texts.length - 1 ? 'complete' : 'answering' } }) as StoredAnswer,
  );
  const last = rows.at(-1);
  const pieces: string[] = [];
  const load = async (): Promise<StoredAnswer> => rows.shift() as StoredAnswer;
  const { signal } = new AbortController();
  expect(await followStoredAnswer(load, async (piece) => void pieces.push(piece), signal, 0)).toBe(last);
  expect(pieces).toEqual(sent);
});
