/** One of up to four parts of a number format: for positive numbers, negative ones, zero, and text. */
interface Section {
  readonly prefix: string;
  readonly suffix: string;
  readonly minDecimals: number;
  readonly maxDecimals: number;
  readonly hasThousands: boolean;
  /** Power of ten that is shown: 2 for percent, -3 for thousands. */
  readonly shift: number;
  /** Else it is words in place of the number. */
  readonly hasDigits: boolean;
}

const MAX_DECIMALS = 15;

/** Shows a number by a format code (ECMA-376 18.8.31). */
export type ShowNumber = (value: number) => string;

/** @returns null for codes that show no plain number: fractions, exponents, conditions, text */
export function numberFormat(code: string): ShowNumber | null {
  const sections = sectionsOf(code).slice(0, 3).map(readSection);
  const [positive, negative, zero] = sections;
  if (positive === undefined || positive === null || negative === null || zero === null) return null;
  return (value) => {
    if (value === 0 && zero !== undefined) return showSection(zero, 0);
    if (value >= 0) return showSection(positive, value);
    return negative === undefined ? `-${showSection(positive, -value)}` : showSection(negative, -value);
  };
}

/** Divided at semicolons that are not quoted. */
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
      // Digits after something else, as in telephone numbers, have a pattern that decimals know nothing of.
      if (isAfter) return null;
      if (digits !== '' || token !== ',') digits += token;
    } else if (token === '%') {
      shift += 2;
      literal('%');
    } else if (token.startsWith('"')) literal(token.slice(1, -1));
    else if (token.startsWith('\\')) literal(token.slice(1));
    else if (token.startsWith('[')) {
      if (/^\[[<>=]/.test(token)) return null;
      // A currency with the number of its locale.
      literal(/^\[\$([^-\]]*)/.exec(token)?.[1] ?? '');
    } else if (token.startsWith('_') || token.startsWith('*')) continue;
    else if (/^[A-Za-z@/]$/.test(token)) return null;
    else literal(token);
  }
  const match = /^([0#?,]*?)(,*)(?:\.([0#?]*)(,*))?$/.exec(digits);
  if (match === null) return null;
  const [, whole = '', scale = '', decimals = '', scaleBehind = ''] = match;
  // Nothing at all hides the number, and what is hidden from the eye is not hidden from a reader of the file.
  if (`${prefix}${digits}` === '') return null;
  return {
    prefix,
    suffix,
    minDecimals: Math.min(MAX_DECIMALS, decimals.match(/0/g)?.length ?? 0),
    maxDecimals: Math.min(MAX_DECIMALS, decimals.length),
    hasThousands: whole.includes(','),
    shift: shift - (scale.length + scaleBehind.length) * 3,
    hasDigits: digits !== '',
  };
}

function showSection(section: Section, value: number): string {
  if (!section.hasDigits) return section.prefix;
  // By a string, so that 0.07 is 7 and not 7.000000000000001.
  const shifted = Number(`${Number(value.toPrecision(15))}e${section.shift}`);
  const number = Number.isFinite(shifted) ? shifted : value * 10 ** section.shift;
  const [whole = '', decimals = ''] = number.toFixed(section.maxDecimals).split('.');
  let shown = decimals;
  while (shown.length > section.minDecimals && shown.endsWith('0')) shown = shown.slice(0, -1);
  const grouped = section.hasThousands ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  return `${section.prefix}${grouped}${shown === '' ? '' : `.${shown}`}${section.suffix}`.trim();
}
