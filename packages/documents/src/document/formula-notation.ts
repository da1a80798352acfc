/**
 * Formulas on one line as people type them: `a^2`, `x_(n+1)`, `(a+b)/(2c)`, `√(x)`, `∑_(n=1)^∞ n`.
 */
export const formula = {
  fraction: (numerator: string, denominator: string): string =>
    `${grouped(numerator)}/${grouped(denominator)}`,
  root: (radicand: string, degree = ''): string => `${degree}√(${radicand})`,
  /** A base with what is below and above it; blank ones are left out. */
  scripts: (base: string, below: string, above: string): string =>
    `${base}${script('_', below)}${script('^', above)}`,
  matrix: (rows: readonly (readonly string[])[]): string =>
    `[${rows.map((row) => row.join(', ')).join('; ')}]`,
};

function script(sign: '_' | '^', text: string): string {
  return text === '' ? '' : `${sign}${grouped(text)}`;
}

/** Adds parentheses unless the text is a single operand. */
export function grouped(text: string): string {
  const isOne = /^(?:[\p{L}\p{N}.]+|∞|\([^()]*\))$/u.test(text.trim());
  return isOne ? text.trim() : `(${text})`;
}
