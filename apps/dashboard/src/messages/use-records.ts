import { use } from 'react';
import { loadOnce } from './load-once.js';
import { useTranslator } from './messages.js';
import { RECORD_LOADERS, type RecordKey } from './record-texts.js';
import { fill } from './translator.js';

const textsOf = loadOnce(RECORD_LOADERS);

/** Suspends until the texts are loaded. */
export function useRecords(): {
  record(key: RecordKey, values?: Readonly<Record<string, string | number>>): string;
  /** The text of a key that the server has made up, or the fallback. */
  recordOr(key: string, fallback: string): string;
} {
  const { language, number } = useTranslator();
  const texts = use(textsOf(language));
  return {
    record: (key, values = {}) => fill(texts[key], values, number),
    recordOr: (key, fallback) => (Object.hasOwn(texts, key) ? texts[key as RecordKey] : fallback),
  };
}
