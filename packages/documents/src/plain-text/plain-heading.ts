export interface PlainHeading {
  readonly level: number;
  readonly title: string;
}

const MAX_CHARACTERS = 80;
const UNDERLINE = /^\s*(={3,}|-{3,}|~{3,})\s*$/;
const NUMBERED = /^(\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+\p{Lu}/u;
const CHAPTER =
  /^(?:chapter|part|appendix|kapitel|teil|chapitre|partie|capítulo|parte|глава|часть)\s+[\dIVXLC]{1,6}\b/iu;
const SENTENCE_END = /[.!?,;:]$/;
const LEVELS = ['=', '-', '~'];

/**
 * Recognizes a paragraph that is clearly a heading: an underlined line, or a single line that is numbered
 * like a section, begins like a chapter, or is in capitals.
 *
 * @param lines the non-blank lines of the paragraph
 */
export function plainHeading(lines: readonly string[]): PlainHeading | null {
  const [first = '', second = ''] = lines;
  const title = first.trim();
  if (title === '' || title.length > MAX_CHARACTERS || !/\p{L}/u.test(title)) return null;
  const underline = UNDERLINE.exec(second)?.[1];
  if (underline !== undefined && lines.length === 2)
    return { level: LEVELS.indexOf(underline.charAt(0)) + 1, title };
  if (lines.length !== 1 || SENTENCE_END.test(title)) return null;
  const number = NUMBERED.exec(title)?.[1];
  if (number !== undefined) return { level: number.split('.').length, title };
  if (CHAPTER.test(title)) return { level: 1, title };
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  const isCapital = title === title.toUpperCase() && title !== title.toLowerCase();
  return isCapital && letters > 3 && letters > title.length / 2 ? { level: 2, title } : null;
}
