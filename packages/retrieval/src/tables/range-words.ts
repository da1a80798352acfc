import { functionWords, type Language, LANGUAGES } from '../question/function-words.js';
import { wordsOf } from './question-words.js';
import { foldWord } from '../analysis/word-folder.js';

/**
 * Words before a date or a number with which it is no longer the value of a cell: before May, more than 500, half of 2026. A
 * closed class, as negations are. What such a question asks for is not guessed.
 */
const BEFORE: Readonly<Record<Language, string>> = {
  en: `before after since until till by over above under below than least most between through to up down beyond exceeding early
    late mid middle beginning start end first last half week weeks day days past next previous around about almost nearly roughly
    top`,
  de: `vor nach seit bis ab über unter als mindestens höchstens zwischen anfang ende mitte hälfte
    halbjahr woche wochen kw tage tagen erste ersten erstes letzte letzten letztes nächste nächsten etwa circa rund fast kalenderwoche`,
  fr: `avant après depuis jusqu jusque dès entre plus moins début fin mi moitié semaine semaines jours
    semestre premier première premiers premières dernier dernière derniers au environ presque à que`,
  es: `antes después desde hasta entre más menos principios inicio fin final finales mitad semana semanas días
    semestre primer primera primeros últimos último a que casi`,
  it: `prima dopo da dal fino tra fra più meno inizio fine metà settimana giorni semestre primo prima
    primi ultimi ultimo quasi a che`,
  pt: `antes depois desde até entre mais menos início fim meio metade semana dias semestre primeiro primeira
    primeiros últimos último quase a que`,
  ru: `до после с от между более больше менее меньше свыше начале начала конце конца середине половина половине неделя
    неделе первые последние первый последний почти около`,
  zh: `超过 大于 多于 高于 低于 少于 小于 不到 至少 最多 截至 约 大约`,
  ja: `約 およそ`,
  ko: `약`,
  ar: `قبل بعد منذ حتى بين أكثر أقل فوق تحت`,
};
/** The same after a date or a number: 500 or more, 500 以上. */
const AFTER: Readonly<Record<Language, string>> = {
  en: 'more less later earlier onwards onward ago',
  de: 'mehr weniger später früher aufwärts',
  fr: 'plus moins tard',
  es: 'más menos adelante',
  it: 'più meno poi',
  pt: 'mais menos diante',
  ru: 'более больше менее меньше позже раньше',
  zh: '以上 以下 之前 以前 之后 以后 之後 以後 前 后 後 上半年 下半年 到 至 初 末 底',
  ja: '以上 以下 以前 以降 より 未満 まで から 前 後 超える 初 末 上旬 中旬 下旬',
  ko: '이상 이하 이전 이후 까지 부터 보다 미만 초과 전 후',
  ar: 'أكثر أقل فصاعدا',
};
/** Before or after a value that is left out. */
const EXCEPT = `except excluding without besides but unlike than outside außer außerhalb ausgenommen ohne statt als sauf hormis hors dehors
  excepté sans salvo excepto fuera sin tranne eccetto fuori senza exceto fora sem кроме вне без 除 除了 以外 之外 除く 제외
  باستثناء عدا بدون`;
/**
 * Words that ask for what every answer has: all rows, that there were some, their number, and figures. One that is missing here
 * is told to the reader as one that no condition uses.
 */
const ASKED = `gab hubo había houve havia total sum number count average list every summe gesamt gesamte gesamter gesamten insgesamt
  anzahl durchschnitt durchschnittlich durchschnittliche sämtliche gesamtzahl gesamtsumme aller allen total totale totaux somme nombre moyenne tous tout
  toutes toute liste suma número cantidad promedio media todos todas totale somma numero tutti tutte soma média сумма всего
  количество число среднее 总数 总额 总计 合计 平均 数量 所有 全部 列出 合計 件数 すべて 全て 一覧 합계 평균 개수 모두 모든 مجموع عدد متوسط جميع`;
const OR = 'or oder ou o u или 或 或者 または もしくは 또는 أو';

/**
 * Prepositions before what belongs to a row: with a discount, by phone. In German, also those of place, where nouns have a capital as
 * names have.
 */
const BEFORE_ATTRIBUTES: Readonly<Partial<Record<Language, string>>> = {
  en: 'with by via from for through during',
  de: 'von für bei an mit durch aus in nach zu',
  fr: 'avec par pour pendant',
  es: 'con por para durante',
  it: 'con per durante',
  pt: 'com por para durante',
};
/** Of the words before a date or a number, those that also stand before a name: sales to Müller, orders by Schmidt. */
const BEFORE_NAMES = 'to at up by over through under about around über nach à au a que da dal';
/** Between a part of a time and the time: the start of May. */
const OF = 'of von vom des der du de del della di do da';

const setOf = (words: Iterable<string>): ReadonlySet<string> => new Set(Array.from(words, foldWord));
const listed = (words: string): ReadonlySet<string> => setOf(words.split(/\s+/));

export const EXCEPT_WORDS = listed(EXCEPT);
export const ASKED_WORDS = listed(ASKED);
/** Between alternatives. */
export const OR_WORDS = listed(OR);

export const OF_WORDS = listed(OF);

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
const relativeWords = new Map<Language, ReadonlySet<string>>();

/** Whether a folded word names a time from today, or a unit of it: "today", "last month", "per week". */
export function isRelativeTime(key: string, language: Language): boolean {
  let words = relativeWords.get(language);
  if (words === undefined) {
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const byUnit = UNITS.map((unit) => new Set([-1, 0, 1].flatMap((at) => wordsIn(format.format(at, unit)))));
    // "Last" and "this" stand before all units.
    const all = byUnit.flatMap((list) => [...list]);
    words = new Set(
      all.filter((word) => all.indexOf(word) === all.lastIndexOf(word) && !isFunctionWord(word)),
    );
    relativeWords.set(language, words);
  }
  return words.has(key);
}

function wordsIn(text: string): string[] {
  return wordsOf(text).map(({ key }) => key);
}

const FUNCTION_WORDS = setOf(LANGUAGES.flatMap((language) => [...functionWords(language)]));

/** Whether a folded word is a function word of any language: that of a short question is not always known. */
export function isFunctionWord(key: string): boolean {
  return FUNCTION_WORDS.has(key);
}

export const isBeforeRange = rangeTest(BEFORE);
export const isAfterRange = rangeTest(AFTER);
export const NAME_WORDS = listed(BEFORE_NAMES);
export const isBeforeAttribute = rangeTest(BEFORE_ATTRIBUTES);

/** Tests a folded word. Words of other languages count, unless they are function words of the question's own. */
function rangeTest(
  words: Readonly<Partial<Record<Language, string>>>,
): (key: string, language: Language) => boolean {
  const byLanguage = new Map<string, ReadonlySet<string>>(
    Object.entries(words).map(([language, list]) => [language, listed(list)]),
  );
  const all = new Set([...byLanguage.values()].flatMap((list) => [...list]));
  return (key, language) =>
    byLanguage.get(language)?.has(key) === true || (all.has(key) && !functionWords(language).has(key));
}
