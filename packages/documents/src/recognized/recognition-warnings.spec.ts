import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from '../document/document-builder.js';
import { type RecognitionNote, withNote } from './recognition-note.js';
import { warnOfRecognition } from './recognition-warnings.js';

const WORDS = Array.from({ length: 12 }, () => '5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\tword').join('\n');
const page = (note: Partial<RecognitionNote>): string =>
  withNote(note.unreadScripts ? '' : WORDS, { confidence: 90, languages: ['eng'], ...note });

function warningsOf(...pages: string[]) {
  const builder = new DocumentBuilder().block('paragraph', 'A page with text.');
  warnOfRecognition(builder, new Map(pages.map((table, index) => [index + 1, table])));
  return builder.build().warnings.map(({ code, message, languages }) => [code, message, languages]);
}

describe('warnOfRecognition', () => {
  it.each<[string, Partial<RecognitionNote>, string, RegExp, string[] | undefined]>([
    [
      'Cyrillic',
      { unreadScripts: ['Cyrl'] },
      'LANGUAGE_MISSING',
      /^Page 1 is .* Cyrillic.*Ukrainian/,
      ['ukr'],
    ],
    [
      'Chinese',
      { unreadScripts: ['Hans', 'Hant', 'Jpan'] },
      'LANGUAGE_MISSING',
      /Han/,
      ['chi_sim', 'chi_tra'],
    ],
    ['Japanese', { unreadScripts: ['Jpan', 'Hans'] }, 'LANGUAGE_MISSING', /Add Japanese in/, ['jpn']],
    ['Thai', { unreadScripts: ['Thai'] }, 'LANGUAGE_MISSING', /Thai script.*Ask the operator/, []],
    ['an unknown script', { unreadScripts: ['Ogham'] }, 'LANGUAGE_MISSING', /Ogham script/, []],
    ['German as English', { betterLanguage: 'deu' }, 'LANGUAGE_MISSING', /German.*as English/, ['deu']],
    ['handwriting', { confidence: 61 }, 'PARTLY_READ', /not sure of the text of page 1:/, undefined],
  ])('%s', (_, note, code, message, languages) => {
    expect(warningsOf(page(note))).toEqual([[code, expect.stringMatching(message), languages]]);
  });

  it('names the pages', () => {
    const foreign = page({ unreadScripts: ['Hebr'] });
    const [[, message] = []] = warningsOf(foreign, page({}), foreign);
    expect(message).toMatch(/^Pages 1, 3 are written in Hebrew/);
  });

  it('says nothing of sure pages, nor of a few words', () => {
    const [logo = ''] = WORDS.split('\n');
    expect(warningsOf(page({}), withNote(logo, { confidence: 40, languages: ['eng'] }))).toEqual([]);
  });

  it('refuses a file of which nothing is read', () => {
    const tables = new Map([[1, page({ unreadScripts: ['Arab'] })]]);
    expect(() => warnOfRecognition(new DocumentBuilder(), tables)).toThrow(
      expect.objectContaining({ code: 'LANGUAGE_MISSING', languages: ['ara'] }),
    );
  });
});
