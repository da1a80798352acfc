import type { Language } from '@citewell/contracts/messages';

/** Loads the texts of a language once. They are English if those of the language cannot be loaded. */
export function loadOnce<Texts>(
  loaders: Readonly<Record<Language, () => Promise<Texts>>>,
): (language: string) => Promise<Texts> {
  const loaded = new Map<string, Promise<Texts>>();
  return (language) => {
    const known = loaded.get(language);
    if (known) return known;
    // The translator has a language of the catalogue.
    const texts = loaders[language as Language]().catch(loaders.en);
    loaded.set(language, texts);
    return texts;
  };
}
