import {
  chooseLanguage,
  ENGLISH_ERRORS,
  type ErrorTranslator,
  type Language,
  loadErrorTranslator,
} from '@citewell/contracts/messages';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import english from './en.json';
import { type Loaders, type TextKey, TEXTS, type TextSet } from './languages.js';
import { createTranslator, fill, type Messages, type Translator, type Values } from './translator.js';

const STORAGE_KEY = 'citewell-language';

/** A language with its texts. Both change together, so that a page never mixes two languages. */
interface Catalogue {
  readonly language: Language;
  readonly messages: Messages;
  readonly errors: ErrorTranslator;
}

const ENGLISH: Catalogue = { language: 'en', messages: english, errors: ENGLISH_ERRORS };

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

/** The texts of a set that is not in the first load. Suspends until they are loaded. */
export function useTexts<Name extends Exclude<TextSet, 'pages'>>(
  set: Name,
): {
  text(key: TextKey<Name>, values?: Values): string;
  /** The text of a key that the server has sent, or the fallback if there is no such key. */
  textOr(key: string, fallback: string): string;
} {
  const { language, number } = useTranslator();
  const texts = use(loadTexts(set, language)) as Readonly<Record<TextKey<Name>, string>>;
  return {
    text: (key, values = {}) => fill(texts[key], values, number),
    textOr: (key, fallback) => (Object.hasOwn(texts, key) ? texts[key as TextKey<Name>] : fallback),
  };
}

const loadedTexts = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** Loads the texts of a language once. They are English if those of the language cannot be loaded. */
function loadTexts(set: TextSet, language: Language): Promise<Readonly<Record<string, string>>> {
  const name = `${set}/${language}`;
  let texts = loadedTexts.get(name);
  if (texts === undefined) {
    const loaders: Loaders<string> = TEXTS[set];
    texts = loaders[language]()
      .catch(loaders.en)
      .then((loaded) => loaded.default);
    loadedTexts.set(name, texts);
  }
  return texts;
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
    const [messages, errors] = await Promise.all([TEXTS.pages[language](), loadErrorTranslator(language)]);
    return { language, messages: messages.default, errors };
  } catch {
    return ENGLISH;
  }
}

function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY);
  return chooseLanguage(stored === null ? navigator.languages : [stored, ...navigator.languages]);
}
