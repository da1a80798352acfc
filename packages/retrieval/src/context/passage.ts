import { readableName } from '../names/searchable-names.js';

/** A retrieved chunk with the properties that context assembly needs. Callers may add their own. */
export interface Passage {
  readonly chunkId: string;
  readonly datasourceId: string;
  readonly datasourceName: string;
  /** The run that wrote the chunk. Chunks of different runs are slices of different texts. */
  readonly runId: string;
  readonly revision: number;
  /** UTF-16 offsets of `text` in the canonical text of the document; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Title, heading path, header row of a table: shown to the model, never quoted. */
  readonly header: string;
  readonly headingPath: readonly string[];
  /** Page on which the text begins, from 1; null in formats without pages. */
  readonly page: number | null;
  /** 0..1, higher is better. */
  readonly score: number;
}

/** Returns a copy of a passage with another range. Additional properties of the passage are kept. */
export function withRange<P extends Passage>(passage: P, range: Partial<Passage>): P {
  return { ...passage, ...range };
}

const OPEN = '<passage>';
const CLOSE = '</passage>';
const MAX_LABEL = 200;

/**
 * The fence tag in any spelling that a model may accept: spaces, invisible characters, full-width brackets.
 */
const TAG_LIKE = /[<＜﹤]([\s\p{Cf}/／]*p[\p{Cf}]*a[\p{Cf}]*s[\p{Cf}]*s[\p{Cf}]*a[\p{Cf}]*g[\p{Cf}]*e)/giu;
/** A number in brackets that looks like a passage number. Excludes array indexes such as `row[1]`. */
const NUMBER_LIKE =
  /(?<![\p{L}\p{N}_)\]])[[［【]([\s\p{Cf}]*\d{1,4}(?:[\s\p{Cf}]*[,，、;；\-–—][\s\p{Cf}]*\d{1,4})*[\s\p{Cf}]*)[\]］】]/gu;

/**
 * Renders a passage for the model: its number, then source, headings, page and text in a fence. All that a document
 * brings along is untrusted, also its name, and is inside of the fence. Anything in it that looks like the fence or a
 * passage number is escaped, so that it can neither leave its passage nor imitate another one. Quotes and offsets come
 * from the passage, not from this text.
 */
export function renderPassage(number: number, passage: Passage): string {
  const details = headerDetails(passage);
  const text = escapeDelimiters(passage.text);
  return `[${number}]\n${fenced(`${passageLabel(passage)}\n${details}${text}`)}`;
}

/** The properties of a passage that its label has. */
export type FrameLabel = Pick<Passage, 'datasourceName' | 'headingPath' | 'page'>;

/** The line above a passage in the prompt: source, headings and page. */
export function passageLabel({ datasourceName, headingPath, page }: FrameLabel): string {
  const location = [datasourceName, ...headingPath].map(labelText).filter((part) => part !== '');
  return `From: ${location.join(' › ')}${page === null ? '' : ` (page ${page})`}`;
}

/** Fences a text whose delimiters are escaped. */
export function fenced(text: string): string {
  return `${OPEN}\n${text}\n${CLOSE}`;
}

/** Escapes fence tags and passage numbers in untrusted text. */
export function escapeDelimiters(text: string): string {
  return text.replace(TAG_LIKE, '‹$1').replace(NUMBER_LIKE, '($1)');
}

/** Returns the header lines that the label does not contain: a title, the header row of a table. */
function headerDetails({ header, headingPath, datasourceName }: Passage): string {
  const labelled = new Set([
    datasourceName,
    readableName(datasourceName),
    ...headingPath,
    headingPath.join(' > '),
    headingPath.join(' › '),
  ]);
  const lines = header.split('\n').map((line) => line.trim());
  const details = lines.filter((line) => line !== '' && !labelled.has(line));
  return details.length === 0 ? '' : `${escapeDelimiters(details.join('\n'))}\n`;
}

/** An untrusted name as one short line, with its delimiters escaped. */
export function labelText(text: string): string {
  const line = escapeDelimiters(text)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL).toWellFormed()}…`;
}
