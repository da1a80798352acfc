import type { Range } from '../analysis/sentence-window.js';
import {
  type AskedTable,
  inOrder,
  type TableCondition,
  type TableConditions,
  united,
} from './asked-table.js';
import { AnalyzedQuestion } from '../question/analyzed-question.js';
import { analyzeWords } from '../analysis/analyzer.js';
import type { Language } from '../question/function-words.js';
import { NEGATIONS } from '../question/negation.js';
import { TableNames } from './table-names.js';
import { type AskedDate, askedDates, isMonthName, rangesOf } from './question-dates.js';
import {
  comparedValues,
  type ComparedWord,
  isCapitalInside,
  isForm,
  isRelated,
  wordsOf,
} from './question-words.js';
import { HAN, HAS_DIGIT, hasUnit, MAX_QUESTION_WORDS, MAX_WORDS, numbersOf } from './table-lookups.js';
import {
  ASKED_WORDS,
  EXCEPT_WORDS,
  isAfterRange,
  isBeforeAttribute,
  isBeforeRange,
  isFunctionWord,
  isRelativeTime,
  NAME_WORDS,
  OF_WORDS,
  OR_WORDS,
} from './range-words.js';

/** A bare number with fewer digits counts something, unless the name of its column stands before it. */
const MIN_DIGITS = 4;
/** More values that begin with a name are no list that a person can check. */
const MAX_BEGUN = 5;
/** Values of other sentences that are told. */
const MAX_BESIDE = 10;
const DIGITS = /^\p{Nd}+$/u;
const DASH = /^\s*[-–—~〜～]\s*$/u;

/**
 * The conditions that a question sets for the rows of a table, by the values of cells that it names: texts in any inflected form,
 * dates, months, quarters and years, and numbers. Values of a column are alternatives.
 *
 * Null without a condition, and if the question says more than such conditions can: it negates, compares ("more than 500"), names
 * alternatives in different columns, or has a date, number or name that is in no cell. A figure would be wrong then. What other
 * words say is not known: see `unused`.
 *
 * A question that continues an earlier one keeps its conditions for other columns. Pure. Whether a number is wanted is not
 * decided.
 */
export function tableConditions(
  question: AnalyzedQuestion,
  table: AskedTable,
  language: Language,
): TableConditions | null {
  const [before] = question.earlier;
  if (before === undefined || !(question.isContinuation || question.lacksSubject))
    return new ConditionReader(question, table, language).read();
  // "And in June?" asks the same of other rows.
  const earlier = new ConditionReader(before, table, language).read();
  const own = earlier && new ConditionReader(question, table, language).read(true);
  if (!earlier || !own) return null;
  const asked = new Set(own.conditions.map(({ position }) => position));
  const kept = earlier.conditions.filter(({ position }) => !asked.has(position));
  return {
    ...own,
    conditions: inOrder([...own.conditions, ...kept]),
    named: own.named + earlier.named,
    isTold: own.isTold || earlier.isTold,
    unused: [...new Set([...earlier.unused, ...own.unused])],
  };
}

/** A part of the question with the condition that it sets. */
interface Found extends Range {
  readonly condition: TableCondition;
  /** How many words a text has; 0 for a date or a number. */
  readonly textWords: number;
}

class ConditionReader {
  private readonly text: string;
  private readonly words: readonly ComparedWord[];
  private readonly names: TableNames;
  private readonly found: Found[] = [];

  constructor(
    private readonly question: AnalyzedQuestion,
    private readonly table: AskedTable,
    private readonly language: Language,
  ) {
    this.text = question.text.normalize('NFKC');
    this.words = wordsOf(this.text);
    this.names = new TableNames(table);
  }

  /** @param isTableKnown whether an earlier question tells which table is meant */
  read(isTableKnown = false): TableConditions | null {
    if (this.words.length > MAX_QUESTION_WORDS) return null;
    const dates = askedDates(this.text, this.language);
    if (dates === null) return null;
    if (!this.readTexts(dates) || !this.readDates(dates) || !this.readNumbers(dates)) return null;
    if (this.found.length === 0 || this.saysMore()) return null;
    const conditions = new Map<number, TableCondition>();
    for (const { condition } of this.found) {
      const before = conditions.get(condition.position);
      conditions.set(condition.position, before === undefined ? condition : united(before, condition));
    }
    const others = this.words.filter((word) => !this.isTaken(word) && this.isContent(word));
    const named = others.filter((word) => this.names.isNamedBy(word));
    // A date or a number alone does not tell which table is meant.
    if (!isTableKnown && named.length === 0 && this.found.every(({ textWords }) => textWords === 0))
      return null;
    const unused = others.filter(
      (word) => !named.includes(word) && this.isSubject(word) && !ASKED_WORDS.has(word.key),
    );
    return {
      conditions: inOrder(conditions.values()),
      used: this.found.length,
      named: named.length,
      isTold: named.length > 0 || this.found.some(({ textWords }) => textWords > 1),
      unused: [...unused.map(({ text }) => text), ...this.valuesBeside()],
    };
  }

  /** The values, dates and numbers of the other sentences of the message: "Only the cancelled ones." */
  private valuesBeside(): string[] {
    const other = new ConditionReader(
      new AnalyzedQuestion(this.question.background),
      this.table,
      this.language,
    );
    const dates = askedDates(other.text, this.language) ?? [];
    other.readTexts([]);
    const all = [...other.found, ...dates, ...numbersOf(other.text, this.language)];
    return [...new Set(all.map(({ start, end }) => other.text.slice(start, end)))].slice(0, MAX_BESIDE);
  }

  /** Finds the longest values first. False if a value is in several columns, and the question names none of them. */
  private readTexts(dates: readonly AskedDate[]): boolean {
    const values = comparedValues(this.table.texts);
    const hasDates = this.table.columns.some(({ type }) => type === 'date');
    for (let length = Math.min(MAX_WORDS, this.words.length); length > 0; length -= 1)
      for (let at = 0; at + length <= this.words.length; at += 1) {
        const span = this.words.slice(at, at + length);
        const range = { start: span[0]?.start ?? 0, end: span.at(-1)?.end ?? 0 };
        if (this.isTaken(range) || !this.mayBeValue(span)) continue;
        if (hasDates && dates.some((date) => date.start <= range.start && range.end <= date.end)) continue;
        const key = span.map((word) => word.key).join('');
        const exact = values.filter((one) => one.key === key);
        const whole = exact.length > 0 ? exact : values.filter(({ words }) => this.isInflected(span, words));
        const matching =
          whole.length > 0 ? whole : values.filter(({ words }) => this.isBeginning(span, words));
        if (matching.length === 0) continue;
        if (whole.length === 0 && matching.length > MAX_BEGUN) return false;
        const position = this.columnOf(range, new Set(matching.map((one) => one.position)));
        if (position === null || this.isOfOther(range, position)) return false;
        const texts = matching.filter((one) => one.position === position).map(({ value }) => value);
        this.add(range, { position, texts }, length);
      }
    return true;
  }

  /** Whether words are content: no function words, no small numbers, and not the name of a column. */
  private mayBeValue(span: readonly ComparedWord[]): boolean {
    const isContent = span.some((word) => this.isContent(word));
    const [first] = span;
    if (!isContent || first === undefined || span.length > 1) return isContent;
    return DIGITS.test(first.key) ? first.key.length >= MIN_DIGITS : !this.names.has(first);
  }

  private isContent(word: ComparedWord): boolean {
    return HAN.test(word.key) ? word.key.length > 1 : this.isSubject(word);
  }

  private isSubject({ text }: ComparedWord): boolean {
    return analyzeWords(text).some((term) => this.question.weights.has(term));
  }

  private isInflected(span: readonly ComparedWord[], value: readonly ComparedWord[]): boolean {
    return (
      span.length === value.length &&
      span.every((word, at) => {
        const other = value[at];
        if (other === undefined || HAS_DIGIT.test(word.key)) return word.key === other?.key;
        return this.isProper(word) ? word.key === other.key : isForm(word, other);
      })
    );
  }

  /** Whether a name of the question begins a longer value: "Müller" of "Müller GmbH". */
  private isBeginning(span: readonly ComparedWord[], value: readonly ComparedWord[]): boolean {
    if (span.length >= value.length) return false;
    const hasName = span.some((word) => isCapitalInside(word, this.text) && !this.names.has(word));
    return hasName && span.every((word, at) => word.key === value[at]?.key);
  }

  private isProper(word: ComparedWord): boolean {
    return this.language !== 'de' && isCapitalInside(word, this.text);
  }

  private readDates(dates: readonly AskedDate[]): boolean {
    const columns = this.table.columns.filter(({ type, least }) => type === 'date' && least !== null);
    for (const date of dates) {
      if (this.isTaken(date) || (date.months === null && this.addYear(date, columns.length > 0))) continue;
      if (columns.length === 0) {
        if (this.isNamed(date)) continue;
        return false;
      }
      const position = this.columnOf(date, new Set(columns.map((column) => column.position)));
      const column = columns.find((one) => one.position === position);
      if (column === undefined) return false;
      const ranges = rangesOf(date, String(column.least), String(column.greatest));
      if (ranges.length === 0) return false;
      this.add(date, { position: column.position, ranges });
    }
    return true;
  }

  /** A year is a number in a column of years, and in one whose name stands before it: "order number 2025". */
  private addYear(date: AskedDate, hasDates: boolean): boolean {
    const cells = this.table.numbers.filter(({ value }) => value === date.year);
    const years = this.table.columns.filter(
      ({ type, least, greatest }) =>
        !hasDates && type === 'number' && least !== null && Number(least) >= 1900 && Number(greatest) <= 2100,
    );
    const position =
      this.columnBefore(date, new Set(cells.map((cell) => cell.position))) ??
      this.columnOf(date, new Set(years.map((column) => column.position)));
    if (position === null) return false;
    this.add(date, { position, numbers: [date.year ?? 0] });
    return true;
  }

  private readNumbers(dates: readonly AskedDate[]): boolean {
    for (const number of numbersOf(this.text, this.language)) {
      if (this.isTaken(number) || dates.some(({ start, end }) => start < number.end && number.start < end))
        continue;
      const own = new Set(
        this.table.columns.filter((one) => hasUnit(one, number)).map(({ position }) => position),
      );
      const matching = this.table.numbers.filter(
        ({ position, value }) => number.values.includes(value) && own.has(position),
      );
      const positions = new Set(matching.map(({ position }) => position));
      const named = this.columnBefore(number, positions);
      const isLong = this.text.slice(number.start, number.end).replace(/\P{Nd}/gu, '').length >= MIN_DIGITS;
      const position = named ?? (isLong || number.unit !== '' ? this.columnOf(number, positions) : null);
      if (position === null) {
        if (this.isNamed(number)) continue;
        return false;
      }
      const numbers = matching.filter((one) => one.position === position).map(({ value }) => value);
      this.add(number, { position, numbers: [...new Set(numbers)] });
    }
    return true;
  }

  /** The column whose name stands directly before a number: "order number 3". */
  private columnBefore({ start }: Range, positions: ReadonlySet<number>): number | null {
    const before = this.words.filter((word) => word.end <= start).slice(-2);
    const named = [...new Set(before.flatMap((word) => this.names.columnsOf(word, isForm)))].filter((one) =>
      positions.has(one),
    );
    return named.length === 1 ? (named[0] ?? null) : null;
  }

  /** Of several columns, the one whose name is nearest, before or else after a part of the question. */
  private columnOf({ start, end }: Range, positions: ReadonlySet<number>): number | null {
    const [only] = positions;
    if (only !== undefined && positions.size === 1) return only;
    const before = this.words.filter((word) => word.end <= start && !this.isTaken(word)).toReversed();
    const after = this.words.filter((word) => word.start >= end && !this.isTaken(word));
    for (const word of [...before, ...after]) {
      const related = this.names.columnsOf(word, isRelated).filter((one) => positions.has(one));
      if (related.length === 1) return related[0] ?? null;
    }
    return null;
  }

  /** Whether the name of another column stands directly before a value: "guide York". The name of the rows may: "orders Harper". */
  private isOfOther({ start }: Range, position: number): boolean {
    const before = this.words.findLast((word) => word.end <= start);
    if (before === undefined || this.isTaken(before)) return false;
    const columns = this.names.columnsOf(before, isForm);
    return columns.length > 0 && !columns.includes(position) && !this.names.isDocumentNamedBy(before);
  }

  private add(
    { start, end }: Range,
    { position, texts = [], numbers = [], ranges = [] }: Partial<TableCondition> & { position: number },
    textWords = 0,
  ): void {
    this.found.push({ start, end, condition: { position, texts, numbers, ranges }, textWords });
  }

  private isTaken({ start, end }: Range): boolean {
    return this.found.some((one) => one.start < end && start < one.end);
  }

  /** Whether a part of the question is part of the name of the document: 2026 of "orders-2026.csv". */
  private isNamed({ start, end }: Range): boolean {
    return this.words
      .filter((word) => word.start < end && start < word.end)
      .every((word) => this.names.hasExactly(word));
  }

  /** Whether the question says something about the values that the conditions do not. */
  private saysMore(): boolean {
    const { found, text } = this;
    const negations = [...text.matchAll(NEGATIONS[this.language])];
    // "No. 7" is a number.
    if (
      negations.some(
        ({ index, 0: word }) =>
          !this.isTaken({ start: index, end: index + word.length }) && text[index + word.length] !== '.',
      )
    )
      return true;
    const ordered = found.toSorted((a, b) => a.start - b.start);
    if (found.some((one) => this.isRange(one))) return true;
    for (const [at, one] of ordered.entries()) {
      const next = ordered[at + 1];
      if (next === undefined) continue;
      const between = text.slice(one.end, next.start);
      if (DASH.test(between)) return true;
      const words = wordsOf(between);
      const isOther = one.condition.position !== next.condition.position;
      if (isOther && words.some(({ key }) => OR_WORDS.has(key))) return true;
      // "Harper compared to Oakfield": no alternatives.
      if (!isOther && words.some((word) => this.isContent(word) && !this.names.has(word))) return true;
    }
    return this.words.some(
      (word, at) =>
        !this.isTaken(word) &&
        !this.names.has(word) &&
        (isRelativeTime(word.key, this.language) || isMonthName(word.text) || this.isUnknown(word, at)),
    );
  }

  /** A name that is in no cell, and "phone" of "by phone". In German, a noun after a preposition, and one beside another one. */
  private isUnknown(word: ComparedWord, at: number): boolean {
    const isOther = (one: ComparedWord | undefined): one is ComparedWord =>
      one !== undefined && !this.isTaken(one) && this.isContent(one) && !this.names.isNamedBy(one);
    const isNoun = (one: ComparedWord | undefined): boolean =>
      isOther(one) && isCapitalInside(one, this.text);
    if (!isOther(word)) return false;
    const [before, after] = [this.words[at - 1], this.words[at + 1]];
    if (this.language === 'de') {
      const isAttribute = isBeforeAttribute(before?.key ?? '', this.language);
      return isNoun(word) && (isNoun(before) || isNoun(after) || isAttribute);
    }
    if (isNoun(word)) return true;
    // "For the company Harper Ltd" names a value.
    if (after !== undefined && this.isTaken(after)) return false;
    const functions = this.functionsBefore(word.start);
    return functions.some(({ key }) => isBeforeAttribute(key, this.language));
  }

  /** The function words directly before a place, the nearest first. */
  private functionsBefore(start: number): ComparedWord[] {
    const before = this.words.filter((one) => one.end <= start).toReversed();
    const end = before.findIndex((word) => this.isTaken(word) || !isFunctionWord(word.key));
    return end < 0 ? before : before.slice(0, end);
  }

  /** Whether the words around a value make a range of it, or leave it out. */
  private isRange({ start, end, textWords }: Found): boolean {
    const functions = this.functionsBefore(start);
    const next = this.words.findLast((word) => word.end <= (functions.at(-1)?.start ?? start));
    // "Which projects start in June?" with a column of this name; "the start of June" is a part of the month.
    const isColumn =
      next !== undefined &&
      functions.length > 0 &&
      !functions.some(({ key }) => OF_WORDS.has(key)) &&
      this.names.has(next);
    // "To and including March", but not "to York in March".
    const others =
      textWords > 0 || isColumn || next === undefined || this.isTaken(next)
        ? []
        : this.functionsBefore(next.start);
    for (const word of [...functions, isColumn ? undefined : next, ...others]) {
      if (word === undefined || this.isTaken(word)) continue;
      const isRange = isBeforeRange(word.key, this.language) && !(textWords > 0 && NAME_WORDS.has(word.key));
      if (EXCEPT_WORDS.has(word.key) || isRange) return true;
    }
    const after = this.words.filter((word) => word.start >= end).slice(0, 2);
    return after.some(
      ({ key }, at) =>
        (at === 0 && HAN.test(key) && EXCEPT_WORDS.has(key)) ||
        (textWords === 0 && isAfterRange(key, this.language)),
    );
  }
}
