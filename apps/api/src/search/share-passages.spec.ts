import { expect, it } from '@jest/globals';
import { sharePassages } from './share-passages.js';

it.each([
  ['one question keeps its order', ['abc'], 'abc'],
  ['each question gets its share', ['abc', 'xyz'], 'axbycz'],
  ['a passage of two questions comes once', ['abc', 'bxa'], 'abxc'],
  ['a question without passages takes no place', ['', 'xy'], 'xy'],
  ['no question', [], ''],
])('%s', (_, rankings, shared) => {
  const passages = rankings.map((ranking) => [...ranking].map((id) => ({ id })));
  expect(sharePassages(passages).map(({ id }) => id)).toEqual([...shared]);
});
