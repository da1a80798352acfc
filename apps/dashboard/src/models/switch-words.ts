import type { EmbeddingSettings } from '@citewell/sdk';
import type { Translator } from '../messages/translator.js';

const PERCENT = 100;
const BYTES_PER_MB = 1024 ** 2;

/** Whether the chosen model is prepared, or documents still follow. If none was chosen, new documents are no switch. */
export function isSwitching({ chosenBy, preparation, documents }: EmbeddingSettings): boolean {
  if (chosenBy === 'default') return false;
  return preparation !== null || documents.done + documents.failed < documents.total;
}

/** What the server does until all documents are embedded, and the part that is done, 0 to 100. Null if unknown. */
export function switchWords(
  { preparation, documents, secondsLeft }: EmbeddingSettings,
  { text }: Pick<Translator, 'text'>,
): { words: string; percent: number | null } {
  if (preparation) {
    const { step, done } = preparation;
    return { words: text(`embedding.${step}`), percent: done === null ? null : done * PERCENT };
  }
  const { done, total } = documents;
  const progress = text('embedding.progress', { done, total });
  const left =
    secondsLeft === null ? '' : ` · ${text('embedding.left', { minutes: inMinutes(secondsLeft) })}`;
  return { words: progress + left, percent: (done / Math.max(1, total)) * PERCENT };
}

export function inMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

export function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MB);
}
