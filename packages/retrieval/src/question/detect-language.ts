import { boundMarks } from '../analysis/word-folder.js';
import { LANGUAGES, functionWords, type Language } from './function-words.js';

/** Languages in Latin script, which are detected by their function words. The first one wins a tie. */
const LATIN_LANGUAGES = LANGUAGES.filter(
  (language) => functionWords(language).size > 0 && !['ru', 'ar'].includes(language),
);

const LETTERS = /\p{L}/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const ARABIC = /\p{Script=Arabic}/gu;
const CYRILLIC = /\p{Script=Cyrillic}/gu;
/** Letters that do not occur in Russian or in Arabic, but in other languages of the same script. */
const OTHER_CYRILLIC = /[іїєґўћђјљњџѓќ]/iu;
const OTHER_ARABIC = /[پچژگکیٹڈڑں]/u;
const LATIN_WORD = /[\p{Script=Latin}\p{M}]+/gu;

/** Letters and signs of one Latin-script language only. A match counts as one function word. */
const DISTINCTIVE: Readonly<Partial<Record<Language, RegExp>>> = {
  de: /ß|[bcdfghjklmnpqrstvwxz]ü/,
  es: /[¿¡ñ]/,
  pt: /[ãõ]/,
  fr: /\b(?:qu|[ldj])['’]|[êœ]/,
};

/** Greetings that stand alone or before a mark: most of them are names or words of other languages elsewhere. */
const GREETINGS: Readonly<Partial<Record<Language, RegExp>>> = {
  de: /^(?:hallo|servus|moin|guten (?:morgen|tag|abend))\b(?!\s*[\p{L}\p{N}])/u,
  fr: /^(?:bonjour|bonsoir|salut|coucou)\b(?!\s*[\p{L}\p{N}])/u,
  es: /^(?:hola|buenos días|buenas (?:tardes|noches))(?!\s*[\p{L}\p{N}])/u,
  it: /^(?:ciao|salve|buongiorno|buonasera)\b(?!\s*[\p{L}\p{N}])/u,
  pt: /^(?:olá|oi|bom dia|boa (?:tarde|noite))(?!\s*[\p{L}\p{N}])/u,
};

/** A script with at least this share of the letters decides. Names in another script are common. */
const DECISIVE_SHARE = 0.5;
/** A Chinese character corresponds to several letters. */
const DECISIVE_SHARE_HAN = 0.25;

/**
 * Detects the language of a short text by script, and by function words within the Latin script. English if
 * unknown: the result selects the language of an answer.
 */
export function detectLanguage(text: string): Language {
  return firstLanguage([text]);
}

/** The language of the first text whose language can be detected. English if there is none. */
export function firstLanguage(texts: readonly string[]): Language {
  for (const text of texts) {
    const language = knownLanguage(text);
    if (language !== null) return language;
  }
  return 'en';
}

function knownLanguage(text: string): Language | null {
  const normal = boundMarks(text).normalize('NFC');
  const letters = count(normal, LETTERS);
  const has = (script: RegExp, share = DECISIVE_SHARE): boolean =>
    letters > 0 && count(normal, script) / letters >= share;
  if (has(HANGUL)) return 'ko';
  if (has(HAN_OR_KANA, DECISIVE_SHARE_HAN)) return count(normal, KANA) > 0 ? 'ja' : 'zh';
  if (has(ARABIC)) return OTHER_ARABIC.test(normal) ? null : 'ar';
  if (has(CYRILLIC)) return OTHER_CYRILLIC.test(normal) ? null : 'ru';
  return latinLanguage(normal.toLowerCase());
}

function latinLanguage(text: string): Language | null {
  const words = text.match(LATIN_WORD) ?? [];
  let best: Language | null = null;
  let most = 0;
  for (const language of LATIN_LANGUAGES) {
    const known = functionWords(language);
    const signs = [DISTINCTIVE, GREETINGS].filter((of) => of[language]?.test(text)).length;
    const hits = words.filter((word) => known.has(word)).length + signs;
    if (hits > most) {
      best = language;
      most = hits;
    }
  }
  return best;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
