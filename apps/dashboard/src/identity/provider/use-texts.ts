import { use } from 'react';
import { loadOnce } from '../../messages/load-once.js';
import { useTranslator } from '../../messages/messages.js';
import { fill } from '../../messages/translator.js';
import { TEXT_LOADERS, type TextKey } from './load-texts.js';

const textsOf = loadOnce(TEXT_LOADERS);

/** The texts of single sign-on. Suspends until they are loaded. */
export function useTexts(): (key: TextKey, values?: { name: string }) => string {
  const { language, number } = useTranslator();
  const texts = use(textsOf(language));
  return (key, values) => fill(texts[key], { ...values }, number);
}
