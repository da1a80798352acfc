import type { Line } from './pdf-lines.js';

/** Words beside page numbers, in lower case. A line with other words has its number in a cell of its own. */
const PAGE_WORDS: ReadonlySet<string> = new Set(
  (
    'page pages pg p pp slide sheet of seite seiten s folie blatt bl von aus feuille sur de du página pag pág pagina ' +
    'diapositiva di van bladzijde blz side sida sivu af av strona str strana stránka z ze oldal sayfa trang hal ' +
    'halaman dari pagină din страница стр с из лист сторінка з σελίδα σελ από עמוד מתוך صفحة ص من صفحه از ' +
    '第 页 頁 共 ページ 쪽 페이지 หน้า पृष्ठ'
  ).split(' '),
);
const WORD = /[\p{Script=Han}]|[\p{Script=Katakana}ー]+|[\p{L}\p{M}]+/gu;
const MAX_DIGITS = 4;
const MAX_OFFSET = 1000;
/** The end of the label of a value: `Invoice no.`, `Number:`, `Step #`. */
const LABEL_END = /(?:[:#№º°]|(?:^|[^\p{L}])(?:no|nr|num|id)\.?)\s*$/iu;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** A line whose page number is replaced by its distance from the number of the page. */
export interface NumberedLine {
  /** Equal on all pages on which only the page number differs. */
  readonly key: string;
  /** Whether the line has nothing but a page number: `- 7 -`, `Page 3 of 10`. */
  readonly isAlone: boolean;
}

/**
 * Where the page number may be in a line: in a line without other words, or in a cell of its own at either end of
 * the line. A number after other words, such as `Step 3` or `Payslip 03/2024`, is content.
 */
export function pageNumbersIn({ text, cells }: Line, page: number): NumberedLine[] {
  const line = asciiDigits(text);
  const roman = /^\W{0,3}([ivxlc]{1,8})\W{0,3}$/i.exec(line)?.[1];
  if (roman !== undefined) return [{ key: `roman ${romanValue(roman) - page}`, isAlone: true }];
  const words = line.toLowerCase().match(WORD) ?? [];
  const isAlone = words.every((word) => PAGE_WORDS.has(word));
  const found = isAlone
    ? [...line.matchAll(/\d+/g)]
    : numbersApart(
        line,
        cells.map(({ text: cell }) => asciiDigits(cell)),
      );
  return found.flatMap(({ 0: digits, index }) => {
    const offset = Number(digits) - page;
    if (digits.length > MAX_DIGITS || digits.startsWith('0') || Math.abs(offset) > MAX_OFFSET) return [];
    return [{ key: `${line.slice(0, index)}#${offset}#${line.slice(index + digits.length)}`, isAlone }];
  });
}

/** Code points of the digit zero in scripts with digits of their own. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10];

/** Arabic, Persian, Indic, Thai and full-width digits as ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}\d]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

function numbersApart(line: string, cells: readonly string[]): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const [first = ''] = cells;
  const last = cells.at(-1) ?? '';
  const isApart = (cell: string, neighbour: string): boolean =>
    /^\W{0,3}\d+\W{0,3}$/.test(cell) && !LABEL_END.test(neighbour);
  const atStart = cells.length > 1 && isApart(first, '') ? /\d+/.exec(line) : /^\d+(?=\s*[|•·])/.exec(line);
  if (atStart !== null) found.push(atStart);
  const number = lastNumber(line);
  if (number === undefined) return found;
  const after = line.slice(number.index + number[0].length);
  const isAtEnd =
    cells.length > 1 && isApart(last, cells.at(-2) ?? '')
      ? !/\w/.test(after)
      : after === '' && /[|•·]$/.test(line.slice(0, number.index).trimEnd());
  if (isAtEnd) found.push(number);
  return found;
}

/** The last run of digits of a text. */
export function lastNumber(text: string): RegExpExecArray | undefined {
  return [...text.matchAll(/\d+/g)].at(-1);
}

function romanValue(numeral: string): number {
  const values = [...numeral.toLowerCase()].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
