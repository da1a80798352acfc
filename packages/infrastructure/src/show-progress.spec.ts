import { describe, expect, it } from '@jest/globals';
import { showProgress } from './show-progress.js';

const STEPS = [
  { step: 'installing', text: 'Installing' },
  { step: 'downloading', text: 'Downloading a', done: 0.25 },
  { step: 'downloading', text: 'Downloading a', done: 0.2501 },
  { step: 'downloading', text: 'Downloading a', done: 1 },
] as const;

describe('showProgress', () => {
  it.each([
    [
      true,
      [
        'Installing\n',
        'Downloading a █████░░░░░░░░░░░░░░░  25 %',
        '\rDownloading a ████████████████████ 100 %\n',
      ],
    ],
    [false, ['Installing\n', 'Downloading a\n']],
  ])('on a terminal (%s) writes a bar, elsewhere one line per step', (isTTY, expected) => {
    const written: string[] = [];
    const onProgress = showProgress({ isTTY, write: (text) => written.push(text) });
    for (const step of STEPS) onProgress(step);
    expect(written).toEqual(expected);
  });
});
