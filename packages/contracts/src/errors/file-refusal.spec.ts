import { expect, it } from '@jest/globals';
import { formatBytes } from './file-refusal.js';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_024, '1 KB'],
  [1_234_567, '1.2 MB'],
  [100 * 1024 ** 2, '100 MB'],
  [1_000 * 1024 ** 2, '1,000 MB'],
  [1024 ** 3, '1 GB'],
  [5_000 * 1024 ** 4, '5,000 TB'],
])('formatBytes of %d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
