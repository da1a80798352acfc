import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyze } from './analyzer.js';
import { MAX_TERM_LENGTH } from './word-terms.js';

const cases: readonly [name: string, text: string, terms: readonly string[]][] = [
  [
    'stems English and drops stop words',
    'The layers were running into the walls',
    ['layer', 'were', 'run', 'wall'],
  ],
  ['drops possessives', "Newton’s and Kepler's laws", ['newton', 'kepler', 'law']],
  ['drops elided articles', "l'homme dell'arte qu'il", ['homm', 'art', 'il']],
  ['joins other apostrophes', "don't O'Neill", ['dont', 'oneil']],
  ['splits hyphenated words', 'boundary-layer', ['boundari', 'layer']],
  ['keeps a decimal as one term', 'pi is 3.14', ['pi', '3.14']],
  ['drops thousands separators', '1,000 and 1,234,567.89', ['1000', '1234567.89']],
  ['indexes 1.000 as a decimal and as a thousand', '1.000', ['1.000', '1000']],
  ['drops German thousands separators', '1.000.000,5', ['1000000.5']],
  ['keeps versions and IP addresses', '1.2.3 192.168.0.1', ['1.2.3', '192.168.0.1']],
  ['splits dates', '2024-01-15', ['2024', '01', '15', '20240115', '2024', 'januari', '20240115']],
  ['joins acronyms', 'U.S.A.', ['usa']],
  ['keeps C++ and C#', 'C++ or C#', ['c++', 'c#']],
  ['indexes identifiers as a whole and in parts', 'foo_bar', ['foobar', 'foo', 'bar']],
  [
    'indexes camel case as a whole and in parts',
    'HttpServletRequest',
    ['httpservletrequest', 'http', 'servlet', 'request'],
  ],
  ['indexes error numbers as a whole and in parts', 'E-1234', ['e', '1234', 'e1234']],
  ['splits host names', 'www.example.com', ['www', 'exampl', 'com']],
  ['folds diacritics', 'Café Müller Straße smørrebrød', ['cafe', 'muller', 'strass', 'smorrebrod']],
  ['folds compatibility forms', 'ﬁne ＡＢＣ１２', ['fine', 'abc12']],
  ['drops soft hyphens', 'bound\u00adary', ['boundari']],
  ['stems Russian and folds ё', 'ёлки домами', ['елк', 'дом']],
  ['folds Greek', 'Ὀδυσσεύς', ['οδυσσευσ']],
  ['stems Arabic lightly', 'والكتابُ في المدينة', ['كتاب', 'في', 'مدين']],
  ['folds Arabic digits', '١٢٣ ۴۵۶', ['123', '456']],
  ['makes Han bigrams', '北京大学', ['北京', '京大', '大学']],
  ['keeps a single Han character', '我 3 年', ['我', '3', '年']],
  ['makes kana and Hangul bigrams', 'データ 한국어', ['デー', 'ータ', '한국', '국어']],
  ['splits between scripts', 'Node版本24', ['node', '版本', '24']],
  ['makes bigrams of Han outside the BMP', '𠀀𠀁', ['𠀀𠀁']],
  ['segments Thai by dictionary', 'ภาษาไทย', ['ภาษา', 'ไทย']],
  ['keeps vowel signs of Devanagari', 'हिन्दी', ['हिन्दी']],
  ['returns nothing for punctuation', ' \n—!?', []],
  ['returns nothing for stop words', 'to be or not to be', []],
];

describe('analyze', () => {
  for (const [name, text, terms] of cases) {
    it(name, () => expect(analyze(text)).toEqual(terms));
  }

  it('maps German plurals to their singular, and keeps English words in -en distinct', () => {
    for (const [singular, plural] of [
      ['Katze', 'Katzen'],
      ['Wohnung', 'Wohnungen'],
      ['Kündigung', 'Kündigungen'],
      ['Möglichkeit', 'Möglichkeiten'],
      ['Information', 'Informationen'],
      ['garden', 'gardens'],
    ] as const) {
      expect([plural, analyze(singular)]).toEqual([plural, analyze(plural)]);
    }
    expect(analyze('listen')).not.toEqual(analyze('list'));
    expect(analyze('haven')).not.toEqual(analyze('have'));
  });

  it.each([
    [
      'German',
      'Vertrag Verträge Verträgen',
      'Haus Häuser Häusern',
      'Mitarbeiter Mitarbeitern Mitarbeiterinnen',
    ],
    ['German endings', 'Preis Preise', 'Ergebnis Ergebnisse', 'Tag Tage Tagen', 'erstatten Erstattung'],
    ['French', 'congé congés', 'contrat contrats', 'journal journaux', 'annuel annuelle', 'salarié salariée'],
    ['Spanish', 'contrato contratos', 'mes meses', 'autónoma autónomos', 'solicito solicitan solicitar'],
    ['German vowels', 'Größe Groesse', 'Kündigung Kuendigungen', 'Straße Strasse', 'Öffnung Oeffnung'],
    ['French ligatures', 'sœur soeur', 'œuvre oeuvre'],
    ['American spelling', 'colour colors', 'organise organizes', 'licence license', 'centre center'],
    ['hyphens', 'e-mail E-Mail email emails'],
  ])('maps forms and spellings of a word to one term: %s', (_, ...words) => {
    for (const forms of words)
      for (const form of forms.split(' '))
        expect([form, analyze(form)]).toEqual([form, analyze(forms.split(' ')[0] ?? '')]);
  });

  it.each([
    'scalar scale',
    'linear line',
    'plane plan',
    'event even',
    'poet pot',
    'fuel full',
    'hour or',
    'data date',
  ])('keeps %s apart', (words) => {
    const [one = '', other = ''] = words.split(' ');
    expect(analyze(one)).not.toEqual(analyze(other));
  });

  it('has one term for all spellings of an identifier', () => {
    for (const spelling of ['fooBar', 'FooBar', 'foo_bar', 'FOO_BAR', 'foobar']) {
      expect(analyze(spelling)).toContain('foobar');
    }
    expect(analyze('E1234')).toContain('e1234');
  });

  it('truncates long words, in linear time', () => {
    const [term, ...rest] = analyze('x'.repeat(1_000_000));
    expect(term?.length).toBe(MAX_TERM_LENGTH);
    expect(rest).toEqual([]);
    expect(analyze('a-b.c'.repeat(20_000)).length).toBeGreaterThan(10_000);
  });

  it('returns well-formed terms of bounded length, independent of Unicode normalization', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const terms = analyze(text);
        for (const term of terms) {
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
          expect(term.isWellFormed()).toBe(true);
        }
        expect(analyze(text)).toEqual(terms);
        expect(analyze(text.normalize('NFD'))).toEqual(analyze(text.normalize('NFC')));
      }),
    );
  });

  it('gives a word the same terms alone and within a text, independent of case', () => {
    const word = fc.stringMatching(/^[a-zäöüß]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const indexed = new Set(analyze(words.join(' ')));
        for (const term of words.flatMap((single) => analyze(single.toUpperCase())))
          expect([term, indexed.has(term)]).toEqual([term, true]);
      }),
    );
  });
});
