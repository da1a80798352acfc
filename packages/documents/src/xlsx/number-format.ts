/**
 * A section of a number format. A format has up to four: for positive numbers, negative numbers, zero and
 * text.
 */
interface Section {
  readonly prefix: string;
  readonly suffix: string;
  readonly minDecimals: number;
  readonly maxDecimals: number;
  readonly hasThousands: boolean;
  /** Power of ten to multiply by: 2 for percent, -3 for thousands. */
  readonly shift: number;
  /** Whether the section shows the number; otherwise only text. */
  readonly hasDigits: boolean;
}

const MAX_DECIMALS = 15;

/** Formats a number according to a format code. */
export type FormatNumber = (value: number) => string;

/**
 * Compiles a format code (ECMA-376 18.8.31).
 *
 * @returns null for codes other than plain numbers: fractions, exponents, conditions, text
 */
export function numberFormat(code: string): FormatNumber | null {
  const sections = sectionsOf(code).slice(0, 3).map(readSection);
  const [positive, negative, zero] = sections;
  if (positive === undefined || positive === null || negative === null || zero === null) return null;
  return (value) => {
    if (value === 0 && zero !== undefined) return formatSection(zero, 0);
    if (value >= 0) return formatSection(positive, value);
    return negative === undefined ? `-${formatSection(positive, -value)}` : formatSection(negative, -value);
  };
}

/** Splits a code at unquoted semicolons. */
function sectionsOf(code: string): string[] {
  const sections = [''];
  for (const [token] of code.matchAll(/"[^"]*"|\\.|;|[^;"\\]+|["\\]/g)) {
    if (token === ';') sections.push('');
    else sections.push(`${sections.pop() ?? ''}${token}`);
  }
  return sections;
}

function readSection(code: string): Section | null {
  let prefix = '';
  let suffix = '';
  let digits = '';
  let shift = 0;
  let isAfter = false;
  const literal = (text: string): void => {
    if (digits === '') prefix += text;
    else {
      suffix += text;
      isAfter = true;
    }
  };
  for (const [token] of code.matchAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|./gsu)) {
    if (/^[0#?.,]$/.test(token)) {
      // Digits after a literal, as in telephone numbers, are not supported.
      if (isAfter) return null;
      if (digits !== '' || token !== ',') digits += token;
    } else if (token === '%') {
      shift += 2;
      literal('%');
    } else if (token.startsWith('"')) literal(token.slice(1, -1));
    else if (token.startsWith('\\')) literal(token.slice(1));
    else if (token.startsWith('[')) {
      if (/^\[[<>=]/.test(token)) return null;
      // A currency symbol with the id of its locale.
      literal(/^\[\$([^-\]]*)/.exec(token)?.[1] ?? '');
    } else if (token.startsWith('_') || token.startsWith('*')) continue;
    else if (/^[A-Za-z@/]$/.test(token)) return null;
    else literal(token);
  }
  const match = /^([0#?,]*?)(,*)(?:\.([0#?]*)(,*))?$/.exec(digits);
  if (match === null) return null;
  const [, whole = '', scale = '', decimals = '', scaleAfter = ''] = match;
  // An empty section hides the number in the sheet. It is content of the file and shown as is.
  if (`${prefix}${digits}` === '') return null;
  return {
    prefix,
    suffix,
    minDecimals: Math.min(MAX_DECIMALS, decimals.match(/0/g)?.length ?? 0),
    maxDecimals: Math.min(MAX_DECIMALS, decimals.length),
    hasThousands: whole.includes(','),
    shift: shift - (scale.length + scaleAfter.length) * 3,
    hasDigits: digits !== '',
  };
}

function formatSection(section: Section, value: number): string {
  if (!section.hasDigits) return section.prefix;
  // Shifted as a string, so that 0.07 becomes 7 and not 7.000000000000001.
  const shifted = Number(`${Number(value.toPrecision(15))}e${section.shift}`);
  const number = Number.isFinite(shifted) ? shifted : value * 10 ** section.shift;
  const [whole = '', decimals = ''] = number.toFixed(section.maxDecimals).split('.');
  let result = decimals;
  while (result.length > section.minDecimals && result.endsWith('0')) result = result.slice(0, -1);
  const grouped = section.hasThousands ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  return `${section.prefix}${grouped}${result === '' ? '' : `.${result}`}${section.suffix}`.trim();
}
