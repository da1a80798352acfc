const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru'];

const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
];

/** The names of each month, by language: its name, its form after a day, and its abbreviation. */
export const MONTH_NAMES: readonly (readonly (readonly string[])[])[] = LANGUAGES.map((language) =>
  monthNames(language, FORMS),
);

/** The names of each month in a language, in these forms, each once and without a dot. */
export function monthNames(
  language: string,
  forms: readonly Intl.DateTimeFormatOptions[],
): readonly (readonly string[])[] {
  const formats = forms.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }));
  return Array.from({ length: 12 }, (_, month) => {
    const date = new Date(Date.UTC(2024, month, 15));
    return [...new Set(formats.map((format) => nameIn(format, date)))];
  });
}

/** The number of each month, from 1, by its whole names as each language writes them: mars, März. */
export const WRITTEN_MONTHS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    monthNames(language, FORMS.slice(0, 2)).flatMap((names, at) =>
      names.map((name) => [name, at + 1] as const),
    ),
  ),
);

/** The number of each month, from 1, by its names in lower case. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((months) =>
    months.flatMap((names, at) => names.map((name) => [name.toLowerCase(), at + 1] as const)),
  ),
);

function nameIn(format: Intl.DateTimeFormat, date: Date): string {
  return (
    format
      .formatToParts(date)
      .find(({ type }) => type === 'month')
      ?.value.replace(/\.$/, '') ?? ''
  );
}
