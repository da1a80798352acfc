const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size such as "3.4 MB", in the language of the page. */
export function sizeWords(bytes: number, language: string): string {
  let value = bytes / 1_000;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit += 1) value /= 1_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[unit] ?? 'gigabyte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
