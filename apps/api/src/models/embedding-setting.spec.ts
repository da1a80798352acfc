import { expect, it } from '@jest/globals';
import { secondsLeft } from './embedding-setting.js';

const since = { space: 's', at: 1_000, charactersDone: 100 };

it.each([
  ['at the measured speed', { charactersDone: 300, now: 11_000, estimate: 1 }, 35],
  [
    'at the estimated speed while nothing is embedded',
    { charactersDone: 100, now: 99_000, estimate: 90 },
    10,
  ],
  ['at the estimated speed in the first seconds', { charactersDone: 200, now: 2_000, estimate: 100 }, 8],
  ['of an unknown model', { charactersDone: 100, now: 99_000, estimate: null }, null],
])('the rest %s', (_, { charactersDone, now, estimate }, seconds) => {
  expect(secondsLeft({ characters: 1_000, charactersDone }, since, now, estimate)).toBe(seconds);
});
