import { use } from 'react';
import { useTranslator } from './messages.js';
import { RECORD_LOADERS, type RecordKey, type RecordTexts } from './record-texts.js';
import { records as english } from './records/en.js';
import { fill } from './translator.js';

const loaded = new Map<string, Promise<RecordTexts>>();

/** English if the texts of the language cannot be loaded. */
function textsOf(language: string): Promise<RecordTexts> {
  const known = loaded.get(language);
  if (known) return known;
  const load = Object.entries(RECORD_LOADERS).find(([name]) => name === language)?.[1];
  const texts = load ? load().catch(() => english) : Promise.resolve(english);
  loaded.set(language, texts);
  return texts;
}

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
