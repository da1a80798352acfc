import { MONTH_NAMES } from '../analysis/months.js';

/** By what people call a document, apart from its text. */
export interface DocumentNames {
  /** Of the datasource, such as `minutes_2024-03-12.pdf`. */
  readonly name: string;
  readonly customId?: string | null;
  /** Of a web page. */
  readonly url?: string | null;
}

const ADDRESS = /^https?:\/\//i;
const EXTENSION = /\.(?=[a-z\d]{1,5}$)\d?[a-z][a-z\d]*$/i;
const QUESTION_WORD = /[^\s,;:?!？！，。、"'“”„<>]+/gu;
/** A file of a kind whose name is no part of a text, as names of source files are. */
const DOCUMENT_FILE = /^(.+\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|eml|msg))([.)\]]*)$/iu;
const MAX_FILE_NAME = 255;
/** A hyphen stays inside of dates and codes: `2024-03-12`, `RE-10042`. */
const SEPARATORS =
  /[_/\\+()[\]{}|,;]+|(?<=\p{L})-(?=\p{L})|(?<=\p{Ll}{2})-(?=\d)|(?<=\d)-(?=\p{L})|^-|-$|(?<!\d)\.|\.(?!\d)|%20/gu;
/** 2024-03-12, 2024_03, 20240312 */
const DATE = /(?<!\d)((?:19|20)\d{2})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)/g;
/** 5.3.2024, 05.03.2024 */
const DAY_FIRST = /(?<!\d)(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.((?:19|20)\d{2})(?!\d)/g;

/**
 * The name of a document as a person reads it: without extension, with spaces for separators. Dates, numbers and versions
 * stay whole: `Price_list-2024-03.xlsx` is `Price list 2024-03`. Empty for an address, which is no name.
 */
export function readableName(name: string): string {
  if (ADDRESS.test(name)) return '';
  const bare = name
    .normalize('NFC')
    .replace(EXTENSION, '')
    .replace(SEPARATORS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return bare === '' ? name.trim() : bare;
}

/** A question in which the names of document files are readable, as those of the documents are for search. */
export function withReadableNames(question: string): string {
  return question.replace(QUESTION_WORD, (word) => {
    const match = word.length <= MAX_FILE_NAME ? DOCUMENT_FILE.exec(word) : null;
    const [, name, end = ''] = match ?? [];
    return name === undefined ? word : `${readableName(name)}${end}`;
  });
}

/**
 * The text of the names of a document, for search: the readable name, custom id and path of the address, and the dates in them
 * also in words, because people ask for the minutes of March.
 */
export function searchableNames({ name, customId, url }: DocumentNames): string {
  const path = url ? decodedPath(url) : '';
  const parts = [name, customId ?? '', path].filter((part) => part !== '' && !ADDRESS.test(part));
  const names = [...new Set(parts.map(readableName))];
  return [...names, ...new Set(parts.flatMap(datesInWords))].join(' ').slice(0, 2_000);
}

function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The year, the month and the day of each date, and the names of its month. */
function datesInWords(text: string): string[] {
  const dates = [
    ...Array.from(text.matchAll(DATE), ([, year = '', month = '', day]) => ({ year, month, day })),
    ...Array.from(text.matchAll(DAY_FIRST), ([, day, month = '', year = '']) => ({ year, month, day })),
  ];
  return dates.flatMap(({ year, month, day }) => [
    year,
    ...new Set(MONTH_NAMES.map((months) => months[Number(month) - 1]?.[0] ?? '')),
    `${Number(month)}月`,
    ...(day === undefined ? [] : [String(Number(day))]),
  ]);
}
