import { setTimeout as pause } from 'node:timers/promises';
import type { StoredAnswer } from '@citewell/database';
import type { OnText } from './answer-writer.js';

/** How often an answer that another process writes is read. */
const POLL_INTERVAL_MS = 500;

/**
 * Sends an answer that another process stores while it writes it. What is stored normally continues what was sent. If it does
 * not, what was sent was retracted, and the stored text is sent from its beginning, as the writing process does.
 *
 * @param intervalMs for tests
 * @returns the answer when it has ended. @throws the reason of the signal
 */
export async function followStoredAnswer(
  load: () => Promise<StoredAnswer>,
  onText: OnText,
  signal: AbortSignal,
  intervalMs = POLL_INTERVAL_MS,
): Promise<StoredAnswer> {
  for (let sent = ''; ;) {
    const stored = await load();
    const { text, state } = stored.message;
    const piece = text.startsWith(sent) ? text.slice(sent.length) : text;
    sent = text;
    if (piece !== '') await onText(piece);
    if (state !== 'answering') return stored;
    await pause(intervalMs, undefined, { signal });
  }
}
