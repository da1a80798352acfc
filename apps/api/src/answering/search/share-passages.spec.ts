import { expect, it } from '@jest/globals';
import type { FoundPassage } from './retriever.service.js';
import { sharePassages } from './share-passages.js';

it.each([
  ['one question keeps its order', ['abc'], 'abc'],
  ['each question gets its share', ['abc', 'xyz'], 'axbycz'],
  ['a passage of two questions comes once', ['abc', 'bxa'], 'abxc'],
  ['a question without passages takes no place', ['', 'xy'], 'xy'],
  ['no question', [], ''],
])('%s', (_, rankings, shared) => {
  const passages = rankings.map((ranking) => [...ranking].map((id) => ({ id, text: id, score: 1 })));
  expect(sharePassages(passages).map(({ id }) => id)).toEqual([...shared]);
});

it('keeps the highest score of a passage, and two copies of a text', () => {
  const first = [
    { id: 'a', text: 'Up to 140 euros.', score: 0.9 },
    { id: 'b', text: 'up to 140  euros.', score: 0.9 },
    { id: 'x', text: 'In Oslo.', score: 0.1 },
  ];
  const second = [
    { id: 'x', text: 'In Oslo.', score: 0.8 },
    { id: 'c', text: 'Up to 140 euros.', score: 0.2 },
  ];
  expect(sharePassages([first, second])).toEqual([
    { ...first[0], copies: [second[1]] },
    { ...first[2], score: 0.8 },
    first[1],
  ]);
});

it('joins the copies that several questions have left out', () => {
  const passage = (id: string): FoundPassage =>
    // This function reads no other fields.
    ({ id, text: 'Up to 140 euros.', score: 0.9 }) as FoundPassage;
  const [a, b, c, d] = [passage('a'), passage('b'), passage('c'), passage('d')];
  const shared = sharePassages([
    [{ ...a, copies: [c] }, b],
    [{ ...a, copies: [d] }, b],
  ]);
  expect(shared).toEqual([{ ...a, copies: [c, d] }, b]);
});
