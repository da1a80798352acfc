import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { en } from './en.js';
import { createTranslator, type Messages, type Translator } from './translator.js';

/** The languages of the pages, each with its own name. */
export const LANGUAGES = { en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'citewell-language';
const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => en,
};

interface ChosenLanguage extends Translator {
  setLanguage(language: Language): void;
}

const TranslatorContext = createContext<ChosenLanguage | null>(null);

/** @throws Error outside of a {@link MessagesProvider} */
export function useTranslator(): ChosenLanguage {
  const translator = use(TranslatorContext);
  if (translator === null) throw new Error('useTranslator needs a MessagesProvider');
  return translator;
}

/** Provides the texts in the chosen language, or in that of the browser. */
export function MessagesProvider({ children }: { children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [messages, setMessages] = useState<Messages | null>(language === 'en' ? en : null);
  useEffect(() => {
    document.documentElement.lang = language;
    let isCurrent = true;
    void LOADERS[language]().then((loaded) => isCurrent && setMessages(loaded));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const translator = useMemo(
    () =>
      messages && {
        ...createTranslator(language, messages),
        setLanguage: (chosen: Language) => {
          localStorage.setItem(STORAGE_KEY, chosen);
          setLanguage(chosen);
        },
      },
    [language, messages],
  );
  return translator && <TranslatorContext value={translator}>{children}</TranslatorContext>;
}

function preferredLanguage(): Language {
  const candidates = [localStorage.getItem(STORAGE_KEY), ...navigator.languages];
  for (const candidate of candidates) {
    const base = candidate?.split('-')[0] ?? '';
    if (base in LANGUAGES) return base as Language;
  }
  return 'en';
}
