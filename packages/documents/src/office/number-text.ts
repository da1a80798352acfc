/** Writes a number from 1 on; undefined if the system cannot. */
type NumberSystem = (value: number) => string | undefined;

/** Letters are repeated after the last one: z, aa, bb. Other signs end with the last one. */
const letters =
  (alphabet: string): NumberSystem =>
  (value) => {
    const all = Array.from(alphabet);
    const letter = all[(value - 1) % all.length];
    return value <= all.length * MAX_REPEATED ? letter?.repeat(Math.ceil(value / all.length)) : undefined;
  };
const signs =
  (all: string): NumberSystem =>
  (value) =>
    Array.from(all)[value - 1];
/** @param all the digits from zero */
const digits =
  (all: string): NumberSystem =>
  (value) =>
    String(value).replace(/\d/g, (digit) => all.charAt(Number(digit)));
/** @param all signs with their values, from the largest one */
const additive =
  (all: string): NumberSystem =>
  (value) => {
    if (value > MAX_ADDITIVE) return undefined;
    let text = '';
    let rest = value;
    for (const entry of all.split(' ')) {
      const sign = entry.replace(/\d+/, '');
      const amount = Number(entry.slice(sign.length));
      text += sign.repeat(Math.trunc(rest / amount));
      rest %= amount;
    }
    return text;
  };
/**
 * Names of digits and powers of ten: 25 is 二十五.
 *
 * @param all the digits from zero; a blank if zero is not written
 * @param powers the names of 10, 100 and 1000
 * @param bareOne matches digits one before a power that are not written
 */
const counting =
  (all: string, powers: string, bareOne?: RegExp): NumberSystem =>
  (value) => {
    const { length } = String(value);
    if (length > powers.length + 1) return undefined;
    return Array.from(String(value), (digit, at) =>
      digit === '0' ? '0' : `${digit}${powers.charAt(length - at - 2)}`,
    )
      .join('')
      .split(/0+/)
      .filter((part) => part !== '')
      .join('0')
      .replace(bareOne ?? '', '')
      .replace(/\d/g, (digit) => all.charAt(Number(digit)).trim());
  };
const MAX_REPEATED = 30;
const MAX_ADDITIVE = 5000;
const ROMAN = 'm1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1';
const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL_ENDS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
};

/** The systems by their names in Word (ECMA-376 Part 1, 17.18.59). Of systems that begin equally, the usual one is first. */
const SYSTEMS: ReadonlyMap<string, NumberSystem> = new Map(
  Object.entries<NumberSystem>({
    decimal: String,
    lowerLetter: letters('abcdefghijklmnopqrstuvwxyz'),
    upperLetter: letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    lowerRoman: additive(ROMAN),
    upperRoman: additive(ROMAN.toUpperCase()),
    decimalZero: (value) => String(value).padStart(2, '0'),
    numberInDash: (value) => `- ${value} -`,
    ordinal: (value) => `${value}${ORDINAL_ENDS[ORDINAL_RULES.select(value)] ?? 'th'}`,
    russianLower: letters('абвгдежзиклмнопрстуфхцчшщыэюя'),
    russianUpper: letters('АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ'),
    hebrew1: additive(
      'ת400 ש300 ר200 ק100 צ90 פ80 ע70 ס60 נ50 מ40 ל30 כ20 טז16 טו15 י10 ט9 ח8 ז7 ו6 ה5 ד4 ג3 ב2 א1',
    ),
    arabicAlpha: letters('أبتثجحخدذرزسشصضطظعغفقكلمنهوي'),
    thaiLetters: letters('กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'),
    thaiNumbers: digits('๐๑๒๓๔๕๖๗๘๙'),
    hindiNumbers: digits('०१२३४५६७८९'),
    decimalFullWidth: digits('０１２３４５６７８９'),
    chineseCounting: counting('零一二三四五六七八九', '十百千', /^1(?=十)/),
    japaneseCounting: counting(' 一二三四五六七八九', '十百千', /1(?=\D)/g),
    koreanCounting: counting(' 일이삼사오육칠팔구', '십백천', /1(?=\D)/g),
    chineseLegalSimplified: counting('零壹贰叁肆伍陆柒捌玖', '拾佰仟'),
    ideographLegalTraditional: counting('零壹貳參肆伍陸柒捌玖', '拾佰仟'),
    ideographTraditional: signs('甲乙丙丁戊己庚辛壬癸'),
    decimalEnclosedCircle: signs('①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'),
    aiueo: signs(
      'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
    ),
    ganada: signs('가나다라마바사아자차카타파하'),
    ideographDigital: digits('〇一二三四五六七八九'),
  }),
);
/** The end of names of systems with the same signs. */
const VARIANT = /(?<=[a-z])(?:Thousand|FullWidth|Chinese)$/;

/**
 * Formats a number as lists, headings and notes print it. Numbers that a system cannot write are decimal, and so are those of
 * systems that are not known.
 *
 * @param system a name, or a first number with zeros such as `001`
 */
export function formatNumber(value: number, system: string): string {
  if (system === 'none') return '';
  const digits = /^0*1$/.test(system) ? system.length : 1;
  const name = system.replace(VARIANT, '').replace(/^taiwanese/, 'chinese');
  return (
    (value > 0 ? (SYSTEMS.get(system) ?? SYSTEMS.get(name))?.(value) : undefined) ??
    String(value).padStart(digits, '0')
  );
}

/** The system whose first numbers are listed, such as `一, 二, 三, ...` or `i`. */
export function systemOf(sample: string): string | undefined {
  const numbers = sample.split(/,\s*/, 3);
  return [...SYSTEMS.keys()].find((system) =>
    numbers.every((number, index) => number === formatNumber(index + 1, system)),
  );
}
