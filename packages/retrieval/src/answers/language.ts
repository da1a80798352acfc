import { LANGUAGES, functionWords, type Language } from './function-words.js';

/** Languages that are told apart by their words, in the order in which ties are decided. */
const LATIN = LANGUAGES.filter(
  (language) => functionWords(language).size > 0 && !['ru', 'ar'].includes(language),
);

const LETTERS = /\p{L}/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const ARABIC = /\p{Script=Arabic}/gu;
const CYRILLIC = /\p{Script=Cyrillic}/gu;
/** Letters of languages that share a script with Russian or Arabic and are neither. */
const OTHER_CYRILLIC = /[іїєґўћђјљњџѓќ]/iu;
const OTHER_ARABIC = /[پچژگکیٹڈڑں]/u;
const LATIN_WORD = /[\p{Script=Latin}\p{M}]+/gu;

/** A script with this share of the letters decides; foreign names in a question are common. */
const DECISIVE_SHARE = 0.5;
/** A Chinese character says as much as several letters. */
const DECISIVE_SHARE_HAN = 0.25;

/**
 * The language of a short text: by script, and for the Latin script by function words. English where nothing
 * tells, so it is a choice of the language to answer in, not a measurement.
 */
export function detectLanguage(text: string): Language {
  const normal = text.normalize('NFC');
  const letters = count(normal, LETTERS);
  const has = (script: RegExp, share = DECISIVE_SHARE): boolean =>
    letters > 0 && count(normal, script) / letters >= share;
  if (has(HANGUL)) return 'ko';
  if (has(HAN_OR_KANA, DECISIVE_SHARE_HAN)) return count(normal, KANA) > 0 ? 'ja' : 'zh';
  if (has(ARABIC)) return OTHER_ARABIC.test(normal) ? 'en' : 'ar';
  if (has(CYRILLIC)) return OTHER_CYRILLIC.test(normal) ? 'en' : 'ru';
  return latinLanguage(normal.toLowerCase());
}

function latinLanguage(text: string): Language {
  const words = text.match(LATIN_WORD) ?? [];
  let best: Language = 'en';
  let most = 0;
  for (const language of LATIN) {
    const known = functionWords(language);
    const hits = words.filter((word) => known.has(word)).length + markOf(language, text);
    if (hits > most) {
      best = language;
      most = hits;
    }
  }
  return best;
}

/** Letters and signs that one language alone writes count as one word. */
function markOf(language: Language, text: string): number {
  switch (language) {
    case 'de':
      return /ß|[bcdfghjklmnpqrstvwxz]ü/.test(text) ? 1 : 0;
    case 'es':
      return /[¿¡ñ]/.test(text) ? 1 : 0;
    case 'pt':
      return /[ãõ]/.test(text) ? 1 : 0;
    case 'fr':
      return /\b(?:qu|[ldj])['’]|[êœ]/.test(text) ? 1 : 0;
    default:
      return 0;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
