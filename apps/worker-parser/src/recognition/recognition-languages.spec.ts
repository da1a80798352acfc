import { noteOf, withNote } from '@citewell/documents/recognition';
import { describe, expect, it } from '@jest/globals';
import { withBetterLanguage } from './recognition-languages.js';

const GERMAN =
  'Die Schlüssel für den Keller gibt die Verwaltung am Montag aus und wer einen Schlüssel verliert der meldet es und trägt die Kosten für das neue Schloss';
const ENGLISH =
  'The keys of the cellar are at the office on Monday and whoever loses a key tells them and pays for the new lock of the house';
/** With words that Spanish, Portuguese and Italian have, too. */
const RECEIPT =
  'LOT 38 JLN PJU 19 NO 1 TEL 03 8079 GST NO 0001 TEM 9 1 TOTAL RM 12.30 AL ROUNDING RM 0.02 SON CASH RM 50.00 CHANGE RM 37.70 AD E TAX INVOICE DATE 23 04 2017 THANK YOU COME AGAIN';

const tableOf = (text: string): string =>
  withNote(
    text
      .split(' ')
      .map((word) => `5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\t${word}`)
      .join('\n'),
    {
      confidence: 90,
      languages: ['eng'],
    },
  );

describe('withBetterLanguage', () => {
  it.each([
    ['German', GERMAN, 'deu'],
    ['German beside English', `${GERMAN} ${ENGLISH}`, 'deu'],
    ['English', ENGLISH, null],
    ['a receipt', RECEIPT, null],
    ['some German words', `${ENGLISH} Straße ${ENGLISH} für die Küche ${ENGLISH}`, null],
  ])('%s', async (_, text, language) => {
    expect(noteOf(await withBetterLanguage(tableOf(text))).betterLanguage).toBe(language);
  });
});
