import { expect, it } from '@jest/globals';
import { ofSameSubject } from './same-subject.js';

it.each<[name: string, shares: Record<string, number[]>, same: string[]]>([
  ['the newest question that tells them apart decides', { a: [0.5, 1], b: [1, 0] }, ['b']],
  ['a question that tells nothing leaves it to the one before', { a: [1, 1], b: [1, 0] }, ['a']],
  ['all are left if none tells', { a: [1, 0], b: [1, 0] }, ['a', 'b']],
  ['without earlier questions, all are left', { a: [], b: [] }, ['a', 'b']],
])('%s', (_, shares, same) => {
  expect(ofSameSubject(Object.keys(shares), (key) => shares[key] ?? [])).toEqual(same);
});
