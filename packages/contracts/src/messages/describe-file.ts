import { FILE_KINDS, type FileKind, type FileRefusal } from '../errors/file-refusal.js';
import type { FileSentences } from './describe-error.js';

/** Why a file was refused, and what helps. */
export function describeRefusal(sentences: FileSentences, refusal: FileRefusal): string {
  const { reason } = refusal;
  const sentence = sentences.refusals[reason];
  switch (reason) {
    case 'EMPTY_FILE':
      return sentence;
    case 'UNREADABLE_FILE':
      return withAdvice(sentences, fill(sentence, { kind: sentences.kinds[refusal.kind] }), refusal.kind);
    case 'MISNAMED_FILE':
    case 'MISDECLARED_FILE': {
      const values = reason === 'MISNAMED_FILE' ? { extension: refusal.extension } : { type: refusal.type };
      const filled = fill(sentence, { kind: sentences.kinds[refusal.kind], ...values });
      return withAdvice(sentences, filled, refusal.kind);
    }
  }
}

function withAdvice(sentences: FileSentences, sentence: string, kind: FileKind): string {
  const entry = FILE_KINDS[kind];
  const advice =
    'advice' in entry
      ? sentences.advice[entry.advice]
      : fill(sentences.rename, { extension: entry.extension });
  // Japanese and Chinese have no space between sentences.
  return sentence.endsWith('。') ? sentence + advice : `${sentence} ${advice}`;
}

/** Replaces `{name}` by a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
