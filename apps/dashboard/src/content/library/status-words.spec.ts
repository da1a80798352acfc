import type { Datasource } from '@citewell/sdk';
import { describe, expect, it } from '@jest/globals';
import english from '../../messages/en.json';
import { createTranslator } from '../../messages/translator.js';
import { libraryProgressWords, progressWords, whatHelps } from './status-words.js';

const words = createTranslator('en', english);
const PROGRESS: NonNullable<Datasource['progress']> = {
  stage: 'parsing',
  done: 312,
  total: 1_158,
  failed: 0,
  percent: 30,
  etaSeconds: 40,
};

describe('progressWords', () => {
  it.each<[name: string, progress: Datasource['progress'], text: string]>([
    ['a run that has not started', null, 'Waiting for its turn'],
    ['pages of a file', PROGRESS, 'Reading, page 312 of 1,158, about 40 s left'],
    ['minutes', { ...PROGRESS, etaSeconds: 150 }, 'Reading, page 312 of 1,158, about 3 min left'],
    ['an unknown total', { ...PROGRESS, total: 0, etaSeconds: null }, 'Reading'],
    [
      'characters while indexing',
      { ...PROGRESS, stage: 'indexing', total: 5_000, etaSeconds: 1 },
      'Indexing, 312 of 5,000',
    ],
    [
      'pages of a site',
      {
        ...PROGRESS,
        stage: 'fetching',
        etaSeconds: null,
        pages: { found: 20, fetched: 12, indexed: 9, failed: 1 },
      },
      '9 of 20 pages ready',
    ],
  ])('describes %s', (_name, progress, text) => {
    expect(progressWords({ progress }, words)).toBe(text);
  });
});

it.each([
  [600, 85, 'Ready: 1,312 of 2,158, 600 per minute, about 85 s left'],
  [null, null, 'Ready: 1,312 of 2,158'],
  [0.4, 126_900, 'Ready: 1,312 of 2,158, about 2,115 min left'],
])('libraryProgressWords describes %s per minute', (documentsPerMinute, etaSeconds, expected) => {
  const statuses = { unsynched: 840, running: 6, synched: 1_312, error: 0, usage_limit_reached: 0 };
  expect(libraryProgressWords({ total: 2_158, statuses, documentsPerMinute, etaSeconds }, words)).toBe(
    expected,
  );
});

type Error = NonNullable<Datasource['error']>;
const permanent = (code: string): Error => ({ code, message: '', retryable: false });
const transient = (code: string): Error => ({ code, message: '', retryable: true });

it.each<[type: Datasource['type'], groupId: string | null, error: Error | null, expected: string[]]>([
  ['file', null, null, []],
  ['file', null, permanent('CORRUPT_FILE'), ['replace']],
  ['file', null, permanent('PASSWORD_REQUIRED'), ['replace']],
  ['file', null, permanent('LINES_SKIPPED'), ['replace']],
  ['file', null, permanent('ARCHIVE_EMPTY'), ['replace']],
  ['file', null, permanent('USAGE_LIMIT'), []],
  ['file', null, permanent('MOSTLY_LEFT_OUT'), []],
  ['file', null, transient('PARSE_TIMEOUT'), ['replace', 'retry']],
  ['file', null, transient('DEPENDENCY_UNAVAILABLE'), ['retry']],
  ['file', 'archive', permanent('CORRUPT_FILE'), []],
  ['file', 'archive', transient('PARSER_CRASHED'), ['retry']],
  ['web_page', null, permanent('PAGE_GONE'), []],
  ['web_page', null, transient('FETCH_FAILED'), ['retry']],
  ['text', null, permanent('EMPTY_DOCUMENT'), []],
])('for a %s in the group %s with %j: %j', (type, groupId, error, expected) => {
  expect(whatHelps({ type, groupId, error })).toEqual(expected);
});
