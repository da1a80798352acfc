/** How a page was recognized. */
export interface RecognitionNote {
  /** Mean confidence of the words, in percent. */
  readonly confidence: number;
  /** Names of the language data with which it was read. */
  readonly languages: readonly string[];
  /** ISO 15924 codes of its script, the likeliest first, if there is no data for it: its words are left out then. */
  readonly unreadScripts?: readonly string[];
  /** Language data that would read its text better, by the words that were read. */
  readonly betterLanguage?: string | null;
  /** What a model says about the picture. */
  readonly description?: string;
}

/** Tesseract has no row of this level. */
const LEVEL = '0';
const WORD_LEVEL = '5';
const CONFIDENCE_COLUMN = 10;
const SEPARATOR = '+';

/** Appends the note to Tesseract's tab-separated values, as a row of its own. Replaces an earlier one. */
export function withNote(table: string, note: RecognitionNote): string {
  const rows = table
    .trimEnd()
    .split('\n')
    .filter((row) => !row.startsWith(`${LEVEL}\t`));
  const { confidence, languages, unreadScripts = [], betterLanguage = '', description } = note;
  const values = [
    LEVEL,
    confidence,
    languages.join(SEPARATOR),
    unreadScripts.join(SEPARATOR),
    betterLanguage,
    // Has no line breaks and tabs.
    description === undefined ? '' : JSON.stringify(description),
  ];
  return [...rows, values.join('\t'), ''].join('\n');
}

/** Reads the note of {@link withNote}. Without one, only the confidence is known. */
export function noteOf(table: string): RecognitionNote {
  const row = table.trimEnd().split('\n').at(-1)?.split('\t') ?? [];
  const [level, confidence, languages = '', scripts = '', better = '', description = ''] = row;
  if (level !== LEVEL) return { confidence: meanConfidence(table), languages: [] };
  const unreadScripts = scripts === '' ? {} : { unreadScripts: scripts.split(SEPARATOR) };
  return {
    confidence: Number(confidence) || 0,
    languages: languages === '' ? [] : languages.split(SEPARATOR),
    ...unreadScripts,
    betterLanguage: better === '' ? null : better,
    ...(description === '' ? {} : { description: String(JSON.parse(description)) }),
  };
}

/** The words of a table, in reading order. */
export function wordsOf(table: string): string[] {
  return wordRows(table).map((row) => row.at(-1) ?? '');
}

function meanConfidence(table: string): number {
  const confidences = wordRows(table).map((row) => Number(row[CONFIDENCE_COLUMN]));
  return confidences.length === 0 ? 0 : confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
}

function wordRows(table: string): string[][] {
  return table
    .split('\n')
    .map((row) => row.split('\t'))
    .filter(([level]) => level === WORD_LEVEL);
}
