import { detectLanguage } from './detect-language.js';
import type { Language } from './function-words.js';

/** The words that negate: a closed class of function words. "Not only" negates nothing. */
export const NEGATIONS: Readonly<Record<Language, RegExp>> = {
  en: word(
    'not(?! (?:only|just|least))|no(?!\\.? ?\\d)|never|none|cannot|without|nor|neither|nobody|nothing|free (?:of|from)',
    "n['’]t",
  ),
  de: word('nicht(?! nur)|kein(?:e[nmrs]?)?|nie|niemals|ohne|weder|noch nie|nichts|niemand'),
  fr: word('ne(?! \\p{L}+ que)|pas(?! seulement)|jamais|aucune?|sans|ni|rien', "n['’]"),
  es: word('no(?! s[oó]lo)|nunca|jamás|ning[uú]n[oa]?|sin|ni|nada|tampoco'),
  it: word('non(?! solo)|mai|senza|nessun[oa]?|né|nulla|niente'),
  pt: word('não(?! s[oó])|nem|nunca|jamais|nenhuma?|sem|nada'),
  ru: word('не(?! только)|нет|без|ни|никогда|нельзя|ничего'),
  zh: /不(?![仅僅但同锈鏽])|没|沒|无(?![线論论])|無(?![線論])|[未](?!来|來)|非(?![常洲])|否(?!则|則)/gu,
  ja: /ない|なく|ません|ずに|[不無未非](?=[\p{Script=Han}])/gu,
  ko: /않|없|아니|못|안(?=\s)/gu,
  ar: word('لا|ليس|ليست|لم|لن|غير|بدون|دون'),
};
/** Whether a text has a word that negates in its language. */
export function isNegated(text: string): boolean {
  return text.search(NEGATIONS[detectLanguage(text)]) >= 0;
}

/** What follows the first word of a text that negates; null without one. */
export function afterNegation(text: string): string | null {
  const [match] = text.matchAll(NEGATIONS[detectLanguage(text)]);
  return match === undefined ? null : text.slice(match.index + match[0].length);
}

function word(words: string, more = ''): RegExp {
  const whole = `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`;
  return new RegExp(more === '' ? whole : `${whole}|${more}`, 'giu');
}
