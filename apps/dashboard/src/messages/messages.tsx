import {
  chooseLanguage,
  ENGLISH_ERRORS,
  type ErrorTranslator,
  type Language,
  loadErrorTranslator,
} from '@citewell/contracts/messages';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { en } from './en.js';
import { LOADERS } from './languages.js';
import { createTranslator, type Messages, type Translator } from './translator.js';

const STORAGE_KEY = 'citewell-language';

/** A language with its texts. Both change together, so that a page never mixes two languages. */
interface Catalogue {
  readonly language: Language;
  readonly messages: Messages;
  readonly errors: ErrorTranslator;
}

const ENGLISH: Catalogue = { language: 'en', messages: en, errors: ENGLISH_ERRORS };

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
  const [chosen, setChosen] = useState<Language>(preferredLanguage);
  const [catalogue, setCatalogue] = useState(chosen === 'en' ? ENGLISH : null);
  useEffect(() => {
    let isCurrent = true;
    void load(chosen).then((loaded) => isCurrent && setCatalogue(loaded));
    return () => {
      isCurrent = false;
    };
  }, [chosen]);
  const translator = useMemo(
    () =>
      catalogue && {
        ...createTranslator(catalogue.language, catalogue.messages, catalogue.errors),
        setLanguage: (language: Language) => {
          localStorage.setItem(STORAGE_KEY, language);
          setChosen(language);
        },
      },
    [catalogue],
  );
  useEffect(() => {
    if (catalogue) document.documentElement.lang = catalogue.language;
  }, [catalogue]);
  return translator && <TranslatorContext value={translator}>{children}</TranslatorContext>;
}

/** The texts of a language, or English if they cannot be loaded. */
async function load(language: Language): Promise<Catalogue> {
  try {
    const [messages, errors] = await Promise.all([LOADERS[language](), loadErrorTranslator(language)]);
    return { language, messages, errors };
  } catch {
    return ENGLISH;
  }
}

function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY);
  return chooseLanguage(stored === null ? navigator.languages : [stored, ...navigator.languages]);
}
