import type { Datasource } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { whatHelps } from './what-helps.js';

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
