import type { OnProgress } from '@citewell/models';
import { progressBar } from './progress-bar.js';

/**
 * Writes each step on a line of its own. On a terminal, the line has a bar that grows.
 *
 * @param output such as `process.stderr`
 */
export function showProgress(output: { isTTY?: boolean; write(text: string): unknown }): OnProgress {
  let line = '';
  return ({ text, done }) => {
    const isNew = !line.startsWith(text);
    if (!isNew && (!output.isTTY || done === undefined)) return;
    const shown = output.isTTY && done !== undefined ? `${text} ${progressBar(done * 100)}` : text;
    if (shown === line) return;
    line = shown;
    const isLast = !output.isTTY || done === undefined || done === 1;
    output.write(`${isNew ? '' : '\r'}${shown}${isLast ? '\n' : ''}`);
  };
}
