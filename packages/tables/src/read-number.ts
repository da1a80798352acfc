/** A number and what stands around it. */
export interface NumberParts {
  /** Digits with their marks, such as `1.234,56`. */
  readonly digits: string;
  readonly isNegative: boolean;
  /** ISO 4217 code, or a symbol that several currencies have. */
  readonly currency: string | null;
  /** What follows the number, such as `%` or `kg`. */
  readonly unit: string;
}

export type DecimalMark = '.' | ',';

/** How the digits of a number can be read: the two readings differ for `1.234` only. */
export type Reading = 'same' | DecimalMark | 'either' | 'none';

const MARKS = String.raw`.,'’ \u00a0\u202f\u2009`;
const DIGITS = new RegExp(
  String.raw`(?:(?<![\d${MARKS}])[.,])?\d(?:[\d${MARKS}]*\d)?(?:e[+-]?\d{1,3}(?![\d\p{L}]))?`,
  'iu',
);
const SIMPLE = /^\d+(?:[.,]\d+)?$/;
// At most 40 characters: longer cells are no numbers.
const BEFORE = /^(\(?)\s*([-−–+]?)\s*([^\s\d()+−–-]{0,5}?)\s*([-−–+]?)$/u;
// At most 40 characters, as well.
const AFTER = /^\s*([^\s\d()[\]]{0,8}?(?:\s[^\s\d()[\]]{1,5})?)\s*(-?)(\)?)(?:\*{1,5}|†|\[\w{1,3}\])?$/u;
const HALF_DAY = /^[ap]\.?m\.?$/i;
const MAX_CHARACTERS = 40;
/** Numbers of people and things have fewer digits. */
const MAX_DIGITS = 15;
const PHONE_DIGITS = 8;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Other symbols, such as `$` and `¥`, belong to several currencies. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '₪': 'ILS',
  '฿': 'THB',
  '₱': 'PHP',
  '₦': 'NGN',
  '₸': 'KZT',
  US$: 'USD',
  R$: 'BRL',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  NT$: 'TWD',
  MX$: 'MXN',
  'CN¥': 'CNY',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  元: 'CNY',
  円: 'JPY',
};
const HAS_SYMBOL = /^\p{L}{0,3}\p{Sc}$/u;

/** The code or the symbol of a currency; null for another text. */
export function currencyOf(text: string): string | null {
  if (text === '') return null;
  if (CURRENCIES.has(text)) return text;
  return SYMBOLS[text] ?? (HAS_SYMBOL.test(text) ? text : null);
}

/**
 * Divides the text of a cell into a number, its sign, currency and unit.
 *
 * @returns null for other texts: several numbers, words before the number, numbers of phones
 */
export function numberParts(text: string): NumberParts | null {
  if (text.length > MAX_CHARACTERS) return null;
  if (SIMPLE.test(text)) return plainParts(text, false);
  const [digits] = DIGITS.exec(text) ?? [];
  if (digits === undefined) return null;
  const start = text.indexOf(digits);
  const end = start + digits.length;
  if (start === 0 && end === text.length) return plainParts(digits, false);
  const [, open, sign, prefix = '', signAfter] = BEFORE.exec(text.slice(0, start)) ?? [];
  const [, suffix = '', minus, close] = AFTER.exec(text.slice(end)) ?? [];
  if (open === undefined || minus === undefined || (open === '(') !== (close === ')')) return null;
  if (sign !== '' && signAfter !== '') return null;
  const signs = `${sign}${signAfter}`;
  if (signs === '+' && digits.length >= PHONE_DIGITS && /^\d+$/.test(digits)) return null;
  const before = currencyOf(prefix);
  if (prefix !== '' && before === null) return null;
  const [first = '', ...rest] = suffix.split(/\s/u);
  const after = currencyOf(rest.at(-1) ?? first);
  if (before !== null && after !== null) return null;
  // "3000 m hurdles" is a name, "7 pm" a time.
  if (after === null && (rest.length > 0 || HALF_DAY.test(first))) return null;
  // "1." is a rank.
  const unit = after === null ? suffix.replace(/^\.$/, '') : rest.length > 0 ? first : '';
  const isNegative = open === '(' || minus === '-' || (signs !== '' && signs !== '+');
  const parts = plainParts(digits, isNegative);
  return parts === null ? null : { ...parts, currency: before ?? after, unit };
}

function plainParts(digits: string, isNegative: boolean): NumberParts | null {
  if (digits.length > MAX_DIGITS && digits.replace(/\D/g, '').length > MAX_DIGITS) return null;
  return { digits, isNegative, currency: null, unit: '' };
}

const PLAIN = /^\d+(?:e[+-]?\d+)?$/i;
const DOT_DECIMAL =
  /^(?:\d*\.\d+(?:e[+-]?\d+)?|\d{1,3}(?:([,'’ \u00a0\u202f\u2009])\d{3})(?:\1\d{3})*(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?)$/i;
const COMMA_DECIMAL =
  /^(?:\d*,\d+(?:e[+-]?\d+)?|\d{1,3}(?:([.'’ \u00a0\u202f\u2009])\d{3})(?:\1\d{3})*(?:,\d+)?)$/i;
const LEADING_GROUP = /^0\d?\d?[.,]\d{3}$/;

/** Which decimal marks the digits allow. */
export function readingOf(digits: string): Reading {
  if (PLAIN.test(digits)) return 'same';
  // A group of thousands does not begin with a zero.
  if (LEADING_GROUP.test(digits)) return digits.includes(',') ? ',' : '.';
  const dot = DOT_DECIMAL.test(digits);
  const comma = COMMA_DECIMAL.test(digits);
  if (dot && comma) return /[.,]/.test(digits) ? 'either' : 'same';
  return dot ? '.' : comma ? ',' : 'none';
}

/** The value of digits with this decimal mark; null if they do not have it. */
export function valueOf(digits: string, decimal: DecimalMark): number | null {
  const reading = readingOf(digits);
  if (reading === 'none' || (reading !== 'same' && reading !== 'either' && reading !== decimal)) return null;
  if (reading === 'same' && PLAIN.test(digits)) return Number(digits);
  const plain =
    decimal === '.' ? digits.replace(/[^\d.e+-]/gi, '') : digits.replace(/[^\d,e+-]/gi, '').replace(',', '.');
  return Number(plain);
}

/** Whether digits are those of an identifier: `00123`. */
export function hasLeadingZero(digits: string): boolean {
  return /^0\d/.test(digits);
}
