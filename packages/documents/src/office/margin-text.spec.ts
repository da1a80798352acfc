import { describe, expect, it } from '@jest/globals';
import { isPageNumber } from './margin-text.js';

describe('isPageNumber', () => {
  it.each(
    '3|- 3 -|1/9|1 / 12|Page 1 of 9|PAGE 12|Seite 3 von 10|page ii of ix|Página 1 de 2|第 1 頁|第1页 共3页|Стр. 4|Page 1/2||Sivu 2'.split(
      '|',
    ),
  )('takes %j for the number of a page', (text) => expect(isPageNumber(text)).toBe(true));

  it.each(
    'Rev 3|v2.1|12/2024|03/24|2024|0123 456 789|IBAN DE89 3704|Acme 1|P-12|Page title|C|Kunde 4711|14.03.2024|Page 1 of 9 Acme'.split(
      '|',
    ),
  )('keeps %j', (text) => expect(isPageNumber(text)).toBe(false));
});
