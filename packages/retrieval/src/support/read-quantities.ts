import { functionWords, type Language } from '../question/function-words.js';
import { tokensOf, type Token, UNSPACED, valuesOf } from './number-tokens.js';
import { CALENDAR, type NumberWords, numberWords, type Unit, wordKey } from './number-words.js';

/** A number of a text in its normal form, with what it counts or measures. */
export interface Quantity {
  /** As it is written, with its unit. */
  readonly text: string;
  readonly start: number;
  /** In the base unit of its dimension. Several if the spelling is ambiguous: 1.800 is 1.8 or 1,800. */
  readonly values: readonly number[];
  /** `second`, `EUR`, `year of the calendar`; the word after the number if it is no known unit; '' without one. */
  readonly dimension: string;
  /** Whether the dimension is one of measures, money or dates. */
  readonly isMeasure: boolean;
  /** False for "a week" and "one": they support "1 week", and claim nothing. */
  readonly isClaim: boolean;
}

/** A number that begins at a token, and the token after it. */
interface Reading {
  readonly values: readonly number[];
  readonly next: number;
  readonly isClaim?: boolean;
}

const SEPARATOR = /^[.,'’٫٬]$/u;
const HYPHEN = /^[-–—‑]$/u;
const JOINERS: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y', 'e', 'и']);
const OF: ReadonlySet<string> = new Set(['de', 'del', 'of', 'di']);
const ORDINAL = /^(?:st|nd|rd|th|er|º|ª)$/;
const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_NUMERAL = `${HAN_DIGITS}两十百千`;
const DIGIT_OR_NUMERAL = new RegExp(String.raw`[\p{Nd}${HAN_NUMERAL}]`, 'u');
const HAN_POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const CLOCK = 'time of day';

/**
 * Reads the numbers, amounts, dates and times of a text. "1.8 million", "1,800,000" and "1 800 000" are the same, and so are "two
 * years" and "24 months", "$24k" and "24,000 dollars", "4 July 2024" and "2024-07-04", which are three quantities: day, month and
 * year. Digits inside identifiers such as KX200 or 1.2.3 are no quantities. Pure, and linear in the length.
 */
export function readQuantities(text: string, language: Language): Quantity[] {
  // Chinese and Japanese have no other numerals.
  const mayHave = !['zh', 'ja'].includes(language) || DIGIT_OR_NUMERAL.test(text);
  return mayHave ? new Reader(text, language).read() : [];
}

class Reader {
  private readonly tokens: readonly Token[];
  private readonly words: NumberWords;
  private readonly found: Quantity[] = [];
  private readonly functions: ReadonlySet<string>;

  constructor(
    private readonly text: string,
    private readonly language: Language,
  ) {
    this.tokens = tokensOf(text);
    this.words = numberWords(language);
    this.functions = functionWords(language);
  }

  read(): Quantity[] {
    let at = 0;
    while (at < this.tokens.length)
      at = this.isNoBeginning(at)
        ? at + 1
        : (this.date(at) ?? this.monthDate(at) ?? this.time(at) ?? this.quantity(at) ?? at + 1);
    return this.found;
  }

  /** Signs, and characters of words without spaces that are no numerals, begin no quantity. */
  private isNoBeginning(at: number): boolean {
    const token = this.tokens[at];
    if (token?.kind !== 'word') return token?.kind === 'sign';
    return !HAN_NUMERAL.includes(token.text) && UNSPACED.test(token.text);
  }

  /** 2024-07-04, 4.7.2024, 4/7/2024, 2024年7月4日 */
  private date(at: number): number | null {
    if (this.tokens[at]?.kind !== 'digits') return null;
    const [a, s1, b, s2, c, s3] = this.tokens.slice(at, at + 6);
    if (a?.kind !== 'digits' || b?.kind !== 'digits' || !s1?.isJoined || !b.isJoined) return null;
    if (s1.text === '年' || s1.text === '月') {
      const isWhole = s1.text === '年' && s2?.text === '月';
      if (!isWhole && !(s1.text === '月' && s2?.text === '日')) return null;
      const day = isWhole && c?.kind === 'digits' && s3?.text === '日' ? [Number(c.text)] : [];
      if (!isWhole) return this.pushDate(at, at + 4, { month: [Number(a.text)], day: [Number(b.text)] });
      const end = day.length > 0 ? 6 : 4;
      return this.pushDate(at, at + end, { year: [Number(a.text)], month: [Number(b.text)], day });
    }
    if (c?.kind !== 'digits' || s2?.text !== s1.text || !c.isJoined || !/^[-./]$/.test(s1.text)) return null;
    const [first, second, third] = [a, b, c].map(({ text }) => Number(text)) as [number, number, number];
    if (a.text.length === 4)
      return this.pushDate(at, at + 5, { year: [first], month: [second], day: [third] });
    if (c.text.length !== 4 || first > 31 || second > 31) return null;
    // With strokes or hyphens, the month may be first.
    const either = s1.text === '.' ? [] : [second];
    return this.pushDate(at, at + 5, {
      year: [third],
      month: [second, ...(either.length > 0 ? [first] : [])].filter((month) => month <= 12),
      day: [first, ...either],
    });
  }

  /** 4 July 2024, July 4th, 2024, 4 de julio de 2024, July 2024 */
  private monthDate(at: number): number | null {
    const month = this.month(at);
    if (month !== null) {
      let next = this.skip(at + 1, /^\.$/);
      const day = this.day(next);
      if (day !== null && !this.tokens[next]?.text.match(/^\d{4}/)) {
        next = this.skip(next + 1, ORDINAL);
        const year = this.year(this.skip(next, /^,$/));
        const end = year === null ? next : this.skip(next, /^,$/) + 1;
        return this.pushDate(at, end, { year: year === null ? [] : [year], month: [month], day: [day] });
      }
      const afterOf = OF.has(this.lower(next)) ? next + 1 : next;
      const year = this.year(afterOf);
      return year === null ? null : this.pushDate(at, afterOf + 1, { year: [year], month: [month] });
    }
    const day = this.day(at);
    if (day === null) return null;
    let next = this.skip(this.skip(at + 1, ORDINAL), /^\.$/);
    if (OF.has(this.lower(next))) next += 1;
    const named = this.month(next);
    if (named === null) return null;
    next = this.skip(next + 1, /^[.,]$/);
    const afterOf = OF.has(this.lower(next)) ? next + 1 : next;
    const year = this.year(afterOf);
    return this.pushDate(at, year === null ? next : afterOf + 1, {
      year: year === null ? [] : [year],
      month: [named],
      day: [day],
    });
  }

  /** 17:30, 5:30 pm, 5 p.m. */
  private time(at: number): number | null {
    if (this.day(at) === null && this.tokens[at]?.text !== '00' && this.tokens[at]?.text !== '0') return null;
    const [hour, colon, minute] = this.tokens.slice(at, at + 3);
    const hasMinutes =
      colon?.text === ':' &&
      colon.isJoined &&
      minute?.kind === 'digits' &&
      minute.isJoined &&
      minute.text.length === 2;
    let next = at + (hasMinutes ? 3 : 1);
    let half = /^[ap]m$/.exec(this.lower(next))?.[0]?.[0];
    if (half !== undefined) next += 1;
    else if (/^[ap]$/.test(this.lower(next)) && this.text.startsWith('.m', this.tokens[next]?.end)) {
      half = this.lower(next);
      next = this.skip(next + 3, /^\.$/);
    } else if (this.lower(next) === 'uhr') next += 1;
    else if (!hasMinutes) return null;
    const hours = (Number(hour?.text) % (half === undefined ? 24 : 12)) + (half === 'p' ? 12 : 0);
    const minutes = hasMinutes ? Number(minute?.text) : 0;
    this.push(at, next, { values: [60 * hours + minutes], dimension: CLOCK });
    return next;
  }

  private quantity(at: number): number | null {
    const before = this.tokens[at - 1];
    const token = this.tokens[at];
    if (
      token === undefined ||
      (before?.kind === 'word' && token.isJoined && token.kind === 'digits' && !UNSPACED.test(before.text))
    )
      return null;
    const reading = token.kind === 'digits' ? this.digits(at) : this.numeral(at);
    if (reading === null) return null;
    let { values, next } = reading;
    if (values.length === 0) return next;
    const money = this.moneyBefore(at);
    for (
      let factor = this.multiplier(next, money !== null);
      factor !== undefined;
      factor = this.multiplier(next, false)
    ) {
      values = values.map((value) => value * factor);
      next = this.skip(next + 1, /^\.$/);
    }
    const unit = money === null ? this.unit(this.range(next)) : { ...money, next };
    const isBare = unit === null && token.kind === 'digits' && next === at + 1;
    const year = Number(token.text);
    if (isBare && year >= 1000 && year <= 2100)
      this.push(at, next, { values: [year], dimension: CALENDAR.year });
    else if (unit !== null) {
      const { factor } = unit;
      const end = unit.next > next && this.range(next) === next ? unit.next : next;
      this.push(money === null ? at : at - 1, end, {
        values: values.map((value) => value * factor),
        dimension: unit.dimension,
        isClaim: reading.isClaim,
      });
      return end;
    } else {
      const noun = this.noun(this.range(next));
      // "A" is a number only with what it counts.
      if (reading.isClaim === false && noun === '') return next;
      this.push(at, next, { values, dimension: noun, isMeasure: false, isClaim: reading.isClaim });
    }
    return next;
  }

  /** 1,800,000; 1.8; 24 000; 1'000 */
  private digits(at: number): Reading | null {
    const groups = [this.tokens[at]?.text ?? ''];
    let separators = '';
    let next = at + 1;
    for (;;) {
      const [separator, group] = this.tokens.slice(next, next + 2);
      if (
        separator &&
        group?.kind === 'digits' &&
        group.isJoined &&
        separator.isJoined &&
        SEPARATOR.test(separator.text)
      ) {
        separators += separator.text;
        groups.push(group.text);
        next += 2;
      } else if (
        separator?.kind === 'digits' &&
        !separator.isJoined &&
        separator.text.length === 3 &&
        (groups.length > 1 || (groups[0]?.length ?? 4) <= 3) &&
        /^ *$/.test(separators) &&
        separator.start === (this.tokens[next - 1]?.end ?? 0) + 1 &&
        this.text[separator.start - 1] !== '\n'
      ) {
        separators += ' ';
        groups.push(separator.text);
        next += 1;
      } else break;
    }
    return { values: valuesOf(groups, separators), next };
  }

  /** twenty-five, zwei, 七; one and a */
  private numeral(at: number): Reading | null {
    const token = this.tokens[at];
    if (token?.kind !== 'word') return null;
    if (UNSPACED.test(token.text)) return this.hanNumeral(at);
    if (this.words.one.has(token.text.toLowerCase())) {
      const isPart = this.numeralAt(at + 1) !== undefined || this.multiplier(at + 1, false) !== undefined;
      return { values: [1], next: at + 1, isClaim: isPart };
    }
    let value = this.numeralAt(at);
    if (value === undefined) return null;
    let next = at + 1;
    for (;;) {
      const linked =
        HYPHEN.test(this.tokens[next]?.text ?? '') || JOINERS.has(this.lower(next)) ? next + 1 : next;
      const more = this.numeralAt(linked);
      if (more === undefined) break;
      if (more === 100 && value < 10) value *= 100;
      else if (more < 10 ? value >= 20 && value % 10 === 0 : value >= 100 && value % 100 === 0 && more < 100)
        value += more;
      else break;
      next = linked + 1;
    }
    return { values: [value], next };
  }

  private numeralAt(at: number): number | undefined {
    const token = this.tokens[at];
    return token?.kind === 'word' ? this.words.numerals.get(wordKey(token.text)) : undefined;
  }

  /** 二十五. Such characters are parts of other words, too: 三峡, 四川. With a unit, they are a number. */
  private hanNumeral(at: number): Reading | null {
    let value = 0;
    let digit = 0;
    let next = at;
    for (;;) {
      const text = this.tokens[next]?.text ?? '';
      const ones = text === '两' ? 2 : HAN_DIGITS.indexOf(text);
      const power = HAN_POWERS[text];
      if (text !== '' && ones >= 0) digit = ones;
      else if (power !== undefined && (digit > 0 || text === '十')) {
        value += Math.max(1, digit) * power;
        digit = 0;
      } else break;
      next += 1;
    }
    if (next === at) return null;
    const after = this.multiplier(next, false) === undefined ? next : next + 1;
    return this.unit(after) === null ? null : { values: [value + digit], next };
  }

  private multiplier(at: number, isMoney: boolean): number | undefined {
    const token = this.tokens[at];
    if (token?.kind !== 'word') return undefined;
    const known = this.words.multipliers.get(wordKey(token.text));
    const isLetter = token.text.length === 1 && /[a-z]/i.test(token.text);
    if (!isLetter) return known;
    // 5 m are metres, $5m are millions, 24k are thousands.
    if (!token.isJoined) return undefined;
    return isMoney || /[KMB]|^k$/.test(token.text) ? known : undefined;
  }

  private moneyBefore(at: number): Unit | null {
    const token = this.tokens[at - 1];
    if (token === undefined || !/^(?:\p{Sc}|[A-Z]{3})$/u.test(token.text)) return null;
    return this.words.units.get(wordKey(token.text)) ?? null;
  }

  /** The first number of "10–12 years" has the unit of the second. */
  private range(next: number): number {
    const [hyphen, end] = this.tokens.slice(next, next + 2);
    if (!hyphen || !HYPHEN.test(hyphen.text) || end?.kind !== 'digits') return next;
    return this.digits(next + 1)?.next ?? next;
  }

  private unit(at: number): (Unit & { next: number }) | null {
    const hyphen = this.tokens[at];
    const first = hyphen?.isJoined && HYPHEN.test(hyphen.text) && this.tokens[at + 1]?.isJoined ? at + 1 : at;
    // The longest name first: 个月 before 个, °C before °.
    for (let length = 3; length > 0; length -= 1) {
      const last = this.tokens[first + length - 1];
      const begin = this.tokens[first];
      if (last === undefined || begin === undefined || last.text === '.') continue;
      const unit = this.words.units.get(wordKey(this.text.slice(begin.start, last.end)));
      // "1 in", "5 a" are no inches and years.
      if (unit !== undefined && (length > 1 || !this.functions.has(begin.text.toLowerCase())))
        return { ...unit, next: first + length };
    }
    return null;
  }

  /** The term of the first content word after a number. */
  private noun(at: number): string {
    const hyphen = this.tokens[at];
    const token = this.tokens[hyphen && HYPHEN.test(hyphen.text) ? at + 1 : at];
    if (token?.kind !== 'word' || this.functions.has(token.text.toLowerCase())) return '';
    return wordKey(token.text);
  }

  private month(at: number): number | null {
    const token = this.tokens[at];
    if (token?.kind !== 'word') return null;
    const isCapital = /^\p{Lu}/u.test(token.text) || !['en', 'de'].includes(this.language);
    return (isCapital ? this.words.months.get(token.text.toLowerCase()) : undefined) ?? null;
  }

  private day(at: number): number | null {
    const token = this.tokens[at];
    const value = Number(token?.text);
    return token?.kind === 'digits' && token.text.length <= 2 && value >= 1 && value <= 31 ? value : null;
  }

  private year(at: number): number | null {
    const token = this.tokens[at];
    return token?.kind === 'digits' && token.text.length === 4 ? Number(token.text) : null;
  }

  private skip(at: number, pattern: RegExp): number {
    return pattern.test(this.lower(at)) ? at + 1 : at;
  }

  private lower(at: number): string {
    return this.tokens[at]?.text.toLowerCase() ?? '';
  }

  private pushDate(
    at: number,
    next: number,
    date: Readonly<Partial<Record<keyof typeof CALENDAR, readonly number[]>>>,
  ): number {
    for (const [part, values] of Object.entries(date))
      if (values.length > 0)
        this.push(at, next, { values, dimension: CALENDAR[part as keyof typeof CALENDAR] });
    return next;
  }

  private push(
    at: number,
    next: number,
    {
      values,
      dimension,
      isMeasure = true,
      isClaim = true,
    }: {
      values: readonly number[];
      dimension: string;
      isMeasure?: boolean;
      isClaim?: boolean | undefined;
    },
  ): void {
    const start = this.tokens[at]?.start ?? 0;
    const last = this.tokens[next - 1]?.text === '.' ? next - 2 : next - 1;
    const text = this.text.slice(start, this.tokens[last]?.end);
    this.found.push({ text, start, values, dimension, isMeasure, isClaim });
  }
}
