import type { Language } from '@citewell/contracts/messages';
import { records as english } from './records/en.js';

export type RecordKey = keyof typeof english;
export type RecordTexts = Readonly<Record<RecordKey, string>>;

/** The texts of records: loaded with the pages that show them, and not in the first load. */
export const RECORD_LOADERS: Readonly<Record<Language, () => Promise<RecordTexts>>> = {
  en: async () => english,
  de: async () => (await import('./records/de.js')).records,
  fr: async () => (await import('./records/fr.js')).records,
  es: async () => (await import('./records/es.js')).records,
  ja: async () => (await import('./records/ja.js')).records,
  zh: async () => (await import('./records/zh.js')).records,
};
