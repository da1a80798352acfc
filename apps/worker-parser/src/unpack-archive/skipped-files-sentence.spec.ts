import { expect, it } from '@jest/globals';
import { skippedFilesSentence } from './skipped-files-sentence.js';

it('names skipped files and their reasons, and counts the rest', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ path: `${n}.png`, reason: 'it is empty' }));
  expect(skippedFilesSentence([])).toBeNull();
  expect(skippedFilesSentence(files(1))).toBe('1 file was skipped: 0.png (it is empty).');
  expect(skippedFilesSentence(files(2))).toBe(
    '2 files were skipped: 0.png (it is empty), 1.png (it is empty).',
  );
  expect(skippedFilesSentence(files(1_011))).toMatch(
    /^1,011 files were skipped: 0\.png .* 9\.png \(it is empty\), and 1,001 more\.$/,
  );
});
