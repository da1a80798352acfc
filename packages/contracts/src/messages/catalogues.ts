import type { DescribedError, ErrorCatalogue, ReportedError } from './describe-error.js';
import { type Language, LANGUAGES } from '../languages.js';

/** Each language is a file of its own, so that a page loads only one. */
export const ERROR_CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<ErrorCatalogue>>> = {
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};

/** Says errors in one language. */
export interface ErrorTranslator {
  describe(error: ReportedError): DescribedError;
  /** Why a crawl does not read a URL; null if there is no reason. */
  urlReason(outcome: { reason: string | null; message: string | null }): string | null;
}

/** The server speaks English. */
export const ENGLISH_ERRORS: ErrorTranslator = {
  describe: ({ message }) => ({ sentence: message, detail: null }),
  urlReason: ({ message }) => message,
};

export async function loadErrorTranslator(language: Language): Promise<ErrorTranslator> {
  if (language === 'en') return ENGLISH_ERRORS;
  const [catalogue, { describeError, describeUrlReason }] = await Promise.all([
    ERROR_CATALOGUES[language](),
    import('./describe-error.js'),
  ]);
  return {
    describe: (error) => describeError(catalogue, error),
    urlReason: (outcome) => describeUrlReason(catalogue, outcome),
  };
}

/**
 * The first tag whose language the product has, whatever its region; otherwise English. Readers of traditional Chinese
 * (`zh-TW`, `zh-Hant`) get simplified Chinese: their browsers also ask for `zh` before English.
 */
export function chooseLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = tag.toLowerCase().split(/[-_]/)[0];
    const known = LANGUAGES.find((candidate) => candidate === language);
    if (known) return known;
  }
  return 'en';
}
