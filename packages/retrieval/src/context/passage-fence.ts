import type { Passage } from './passage.js';

const OPEN = '<passage>';
const CLOSE = '</passage>';
const MAX_LABEL = 200;

/** Our tag in any spelling that a reader might take for it: spaces, invisible characters, full-width brackets. */
const TAG_LIKE = /[<＜﹤]([\s\p{Cf}/／]*p[\p{Cf}]*a[\p{Cf}]*s[\p{Cf}]*s[\p{Cf}]*a[\p{Cf}]*g[\p{Cf}]*e)/giu;
/** A bracketed number that is not an index (`row[1]`): it would read as one of our numbers. */
const NUMBER_LIKE =
  /(?<![\p{L}\p{N}_)\]])[[［【]([\s\p{Cf}]*\d{1,4}(?:[\s\p{Cf}]*[,，、;；\-–—][\s\p{Cf}]*\d{1,4})*[\s\p{Cf}]*)[\]］】]/gu;

/**
 * One numbered passage as the model sees it: a line with number, source, headings and page, then the text in a
 * fence. The text is data: whatever in it looks like the fence or like a number of ours is defused, so it can
 * neither leave its passage nor pose as another. Quotes and offsets are made from the passage, never from this.
 */
export function renderPassage(number: number, passage: Passage): string {
  const place = [passage.datasourceName, ...passage.headingPath].map(label).filter((part) => part !== '');
  const page = passage.page === null ? '' : ` (page ${passage.page})`;
  const details = headerDetails(passage);
  return `[${number}] ${place.join(' › ')}${page}\n${OPEN}\n${details}${defuse(passage.text)}\n${CLOSE}`;
}

/** Replaces what looks like our delimiters, in text that we did not write. */
export function defuse(text: string): string {
  return text.replace(TAG_LIKE, '‹$1').replace(NUMBER_LIKE, '($1)');
}

/** What the header says beyond the source's name and the headings: a title, a table's header row. */
function headerDetails({ header, headingPath, datasourceName }: Passage): string {
  const told = new Set([datasourceName, ...headingPath, headingPath.join(' > '), headingPath.join(' › ')]);
  const lines = header.split('\n').map((line) => line.trim());
  const news = lines.filter((line) => line !== '' && !told.has(line));
  return news.length === 0 ? '' : `${defuse(news.join('\n'))}\n`;
}

function label(text: string): string {
  const line = defuse(text)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL).toWellFormed()}…`;
}
