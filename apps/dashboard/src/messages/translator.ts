import { ENGLISH_ERRORS, type ErrorTranslator, type Language } from '@citewell/contracts/messages';
import type english from './en.json';

export type MessageKey = keyof typeof english;
export type Messages = Readonly<Record<MessageKey, string>>;

/** Keys of messages that depend on a number: those with the endings `.one` and `.other`. */
export type CountedKey = MessageKey extends infer Key
  ? Key extends `${infer Base}.other`
    ? Base
    : never
  : never;

export type Values = Readonly<Record<string, string | number>>;

/** Texts and numbers in one language. */
export interface Translator {
  readonly language: Language;
  /** Says the errors of the server. */
  readonly errors: ErrorTranslator;
  /** The text of a key, with its placeholders replaced. */
  text(key: MessageKey, values?: Values): string;
  /** The text for a number, in the right plural form. */
  counted(key: CountedKey, count: number, values?: Values): string;
  number(value: number): string;
  /** How long ago an instant was, such as "3 hours ago". */
  ago(instant: string): string;
  /** The date and time of an instant, in the time zone of the browser. */
  time(instant: string): string;
}

export function createTranslator(
  language: Language,
  messages: Messages,
  errors: ErrorTranslator = ENGLISH_ERRORS,
): Translator {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const format = (value: number): string => numbers.format(value);
  return {
    language,
    errors,
    text: (key, values = {}) => fill(messages[key], values, format),
    counted: (key, count, values = {}) => {
      const form = plurals.select(count) === 'one' ? 'one' : 'other';
      // `CountedKey` has only keys with both forms.
      return fill(messages[`${key}.${form}` as MessageKey], { count, ...values }, format);
    },
    number: format,
    ago: (instant) => {
      const [value, unit] = timeAgo(Date.now() - Date.parse(instant));
      return relative.format(-value, unit);
    },
    time: (instant) => times.format(Date.parse(instant)),
  };
}

/** Replaces the placeholders of a text by values. */
export function fill(text: string, values: Values, format: (value: number) => string): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : typeof value === 'number' ? format(value) : value;
  });
}

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function timeAgo(milliseconds: number): [number, Intl.RelativeTimeFormatUnit] {
  for (const [unit, length] of UNITS)
    if (milliseconds >= length) return [Math.floor(milliseconds / length), unit];
  return [Math.max(0, Math.floor(milliseconds / 1_000)), 'second'];
}
