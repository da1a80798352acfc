import { describe, expect, it } from '@jest/globals';
import { API_ERROR_CODES } from '../errors/api-errors.js';
import { FILE_ADVICE, FILE_KINDS, type FileRefusal } from '../errors/file-refusal.js';
import { INGESTION_ERRORS, URL_REASONS } from '../errors/ingestion-errors.js';
import { chooseLanguage, ENGLISH_ERRORS, ERROR_CATALOGUES, loadErrorTranslator } from './catalogues.js';
import { describeError, describeUrlReason } from './describe-error.js';
import { describeRefusal } from './describe-file.js';
import { ENGLISH_FILES } from './english-files.js';

// `keys` knows only strings.
const TRANSLATIONS = Object.keys(ERROR_CATALOGUES) as (keyof typeof ERROR_CATALOGUES)[];
/** What names may be the same as in English. */
const NAMES = /^(?:PDF|JSON|an? \w+|\w+)$/;

it.each(TRANSLATIONS)('has a sentence for every code, reason and kind in %s', async (language) => {
  const { codes, urlReasons, kinds, advice, refusals, rename, duplicates } =
    await ERROR_CATALOGUES[language]();
  expect(Object.keys(codes)).toEqual(
    expect.arrayContaining([...API_ERROR_CODES, ...Object.keys(INGESTION_ERRORS), 'NETWORK', 'TIMEOUT']),
  );
  expect(Object.keys(urlReasons)).toEqual(Object.keys(URL_REASONS));
  expect(Object.keys(kinds)).toEqual(Object.keys(FILE_KINDS));
  expect(Object.keys(advice)).toEqual(FILE_ADVICE);
  const english: Readonly<Record<string, string>>[] = [
    Object.fromEntries(Object.entries(INGESTION_ERRORS).map(([code, { sentence }]) => [code, sentence])),
    URL_REASONS,
    ENGLISH_FILES.kinds,
    ENGLISH_FILES.advice,
    ENGLISH_FILES.refusals,
    { rename: ENGLISH_FILES.rename },
    ENGLISH_FILES.duplicates,
  ];
  const translated: Readonly<Record<string, string>>[] = [
    codes,
    urlReasons,
    kinds,
    advice,
    refusals,
    { rename },
    duplicates,
  ];
  const problems = english.flatMap((sentences, table) =>
    Object.entries(sentences).filter(([key, sentence]) => {
      const translation = translated[table]?.[key] ?? '';
      const isSame = translation === sentence && !NAMES.test(sentence);
      return translation === '' || isSame || placeholders(translation) !== placeholders(sentence);
    }),
  );
  expect(problems).toEqual([]);
});

function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join('');
}

describe('the description of an error', () => {
  it.each<
    [what: string, error: Parameters<typeof describeError>[1], sentence: RegExp, detail: string | null]
  >([
    [
      'the sentence of its code',
      { code: 'CORRUPT_FILE', message: INGESTION_ERRORS.CORRUPT_FILE.sentence },
      /^Die Datei ist beschädigt/,
      null,
    ],
    [
      'also the sentence of the server, if that names more',
      { code: 'LINES_SKIPPED', message: 'Lines 3 and 17 are not valid JSON.' },
      /^Einige Zeilen/,
      'Lines 3 and 17 are not valid JSON.',
    ],
    [
      'of the API',
      { code: 'INVALID_REQUEST', message: 'config.schedule must be a cron expression.' },
      /^Die Anfrage ist ungültig\.$/,
      'config.schedule must be a cron expression.',
    ],
    ['without an answer', { code: 'NETWORK', message: 'fetch failed' }, /^Der Server antwortet nicht/, null],
    ['a code of a newer server', { code: 'NEW', message: 'It is new.' }, /^It is new\.$/, null],
    ['a name of every object', { code: 'toString', message: 'x' }, /^x$/, null],
    [
      'a file that cannot be read',
      refused({ reason: 'UNREADABLE_FILE', kind: 'OLD_WORD' }),
      /^Die Datei ist ein Word-Dokument im alten Format \(\.doc\) und kann nicht gelesen werden\. Öffnen Sie/,
      null,
    ],
    [
      'a file with the content of another type',
      refused({ reason: 'MISNAMED_FILE', kind: 'HTML', extension: 'pdf' }),
      /endet mit \.pdf, aber ihr Inhalt ist eine Webseite \(HTML\)\. .* mit \.html enden/,
      null,
    ],
    [
      'a kind of a newer server',
      {
        ...refused({ reason: 'EMPTY_FILE' }),
        details: [{ reason: 'UNREADABLE_FILE', values: { kind: 'X' } }],
      },
      /^Diese Art von Datei/,
      'The file is refused.',
    ],
    [
      'a duplicate',
      {
        code: 'CONFLICT',
        message: 'x',
        details: [{ reason: 'SAME_CONTENT', values: { name: '{kind}.txt' } }],
      },
      /^Die Bibliothek hat diese Datei schon, als „\{kind\}\.txt“\.$/,
      null,
    ],
  ])('%s', async (_, error, sentence, detail) => {
    expect(describeError(await ERROR_CATALOGUES.de(), error)).toEqual({
      sentence: expect.stringMatching(sentence),
      detail,
    });
    expect(ENGLISH_ERRORS.describe(error)).toEqual({ sentence: error.message, detail: null });
  });

  it('says in English what a file is and what helps', () => {
    expect(describeRefusal(ENGLISH_FILES, { reason: 'UNREADABLE_FILE', kind: 'OLD_WORD' })).toBe(
      'This is a Word document in the old format (.doc), which cannot be read. Open it in its program or in LibreOffice, save it as .docx, and upload the new file.',
    );
  });

  it('translates why an address was left out', async () => {
    const ja = await ERROR_CATALOGUES.ja();
    expect(describeRefusal(ja, { reason: 'UNREADABLE_FILE', kind: 'IMAGE' })).toMatch(
      /読み取れません。文字が/,
    );
    expect(describeUrlReason(ja, { reason: 'ROBOTS', message: 'x' })).toBe(ja.urlReasons.ROBOTS);
    expect(describeUrlReason(ja, { reason: 'PAGE_TOO_LARGE', message: 'x' })).toBe(ja.codes.PAGE_TOO_LARGE);
    expect(describeUrlReason(ja, { reason: 'NEW', message: 'x' })).toBe('x');
    expect(describeUrlReason(ja, { reason: null, message: 'x' })).toBe('x');
  });
});

function refused(refusal: FileRefusal) {
  const { reason, ...values } = refusal;
  return { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The file is refused.', details: [{ reason, values }] };
}

it.each([
  [['de-AT', 'en'], 'de'],
  [['pt-BR', 'es-MX', 'en'], 'es'],
  [['zh-TW'], 'zh'],
  [['zh-Hant-HK'], 'zh'],
  [['de_DE.UTF-8'], 'de'],
  [['C'], 'en'],
  [['toString', 'EN-GB'], 'en'],
  [['it'], 'en'],
  [[], 'en'],
])('chooses a language for %j', (tags, language) => {
  expect(chooseLanguage(tags)).toBe(language);
});

it('loads a translator of each language', async () => {
  const error = { code: 'GONE', message: 'x' };
  expect((await loadErrorTranslator('en')).describe(error).sentence).toBe('x');
  expect((await loadErrorTranslator('zh')).describe(error).sentence).toBe('此版本已不再保存。');
});
