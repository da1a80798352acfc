import type { Language } from '@citewell/contracts/messages';
import { use } from 'react';
import { useTranslator } from '../messages/messages.js';
import { TEXT_LOADERS, type TextKey, type Texts } from './load-texts.js';

const loaded = new Map<string, Promise<Texts>>();

/** English if the texts of the language cannot be loaded. */
function textsIn(language: Language): Promise<Texts> {
  const known = loaded.get(language);
  if (known) return known;
  const texts = TEXT_LOADERS[language]().catch(TEXT_LOADERS.en);
  loaded.set(language, texts);
  return texts;
}

/** The texts of single sign-on. Suspends until they are loaded. */
export function useTexts(): (key: TextKey, values?: { name: string }) => string {
  const { language } = useTranslator();
  // The translator has a language of the catalogue.
  const texts = use(textsIn(language as Language));
  return (key, values) => texts[key].replace('{name}', () => values?.name ?? '{name}');
}
