import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';

it('the script parses no HTML, and loads nothing but what the page names', async () => {
  const script = await readFile(new URL('./widget.js', import.meta.url), 'utf8');
  expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(|import\(/);
});
