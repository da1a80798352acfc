import type { DocumentBuilder } from '../document/document-builder.js';

/** Words beside the number of a page, in common languages. With other words, a number is kept. */
const PAGE_WORDS = new Set(
  (
    'page pages pg of seite seiten von blatt página páginas pagina pagine pág pag de di du sur da van bl sida side av af ' +
    'sivu strona str stránka strana ze oldal sayfa trang halaman dari стр страница сторінка из з od σελίδα σελ από עמוד ' +
    'מתוך صفحة من หน้า ページ 頁 页 第 共 張 张 쪽 페이지 의'
  ).split(' '),
);
const WORD = /\p{L}[\p{L}\p{M}]*/gu;
const ROMAN = /^[ivxlc]+$/;
/** Up to three numbers with signs between them. */
const NUMBERS = /^[\s\p{P}|~]*(?:\d{1,4}[\s\p{P}|~]*){0,3}$/u;
/** A number without words: a date, a version or a telephone number looks different. */
const BARE_NUMBER = /^[\s–—|~·•-]*(?:[1-9]\d{0,2}(?:\s*\/\s*[1-9]\d{0,2})?[\s–—|~·•-]*)?$/;

/**
 * Adds headers and footers after the text of a document, each once, because they often identify the file: number, version,
 * recipient. Numbers of pages are left out.
 */
export function addMargins(margins: Iterable<string>, builder: DocumentBuilder): void {
  const texts = new Set(Array.from(margins, (margin) => withoutPageNumbers(margin, builder)));
  if (texts.size > 0) builder.leaveHeadings();
  for (const text of texts) builder.block('paragraph', text);
}

/** The text of a header or footer without the numbers of pages, which are counted. */
function withoutPageNumbers(text: string, builder: DocumentBuilder): string {
  const lines = text.split('\n').map((line) => {
    const kept = line.split('\t').filter((part) => {
      const isNumber = isPageNumber(part);
      if (isNumber) builder.leaveOut('running', part);
      return !isNumber;
    });
    return kept.join('\t').trim();
  });
  return lines.filter((line) => line !== '').join('\n');
}

/** Whether a text is the number of a page, such as `3`, `- 3 -`, `Page ii of ix` or `第 1 頁`, or is blank. */
export function isPageNumber(text: string): boolean {
  const words = text.toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return BARE_NUMBER.test(text);
  const numbers = text.replace(WORD, '');
  const isWord = (word: string): boolean => PAGE_WORDS.has(word) || isSigns(word);
  return (
    words.some(isWord) && words.every((word) => isWord(word) || ROMAN.test(word)) && NUMBERS.test(numbers)
  );
}

/** Whether a word consists of signs of a script without spaces: `第頁`. */
function isSigns(word: string): boolean {
  return /[^a-z]/.test(word) && Array.from(word).every((sign) => PAGE_WORDS.has(sign));
}
