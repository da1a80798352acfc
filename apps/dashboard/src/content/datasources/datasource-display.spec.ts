import type { Datasource } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import {
  addressOf,
  displayName,
  folderOf,
  isGroup,
  linksOf,
  isUnfinished,
  urgencyOf,
} from './datasource-display.js';

it.each<[type: Datasource['type'], mimeType: string | null, expected: boolean]>([
  ['web_site', null, true],
  ['file', 'application/zip', true],
  ['file', 'application/pdf', false],
  ['web_page', 'text/html', false],
])('isGroup: %s, %s', (type, mimeType, expected) => {
  expect(isGroup({ type, mimeType })).toBe(expected);
});

const PROGRESS = { stage: 'parsing', done: 0, total: 0, failed: 0, percent: 0, etaSeconds: null } as const;
const ERROR = { code: 'CANCELLED', message: '', retryable: false };

it.each<[Pick<Datasource, 'status' | 'progress' | 'error'>, boolean]>([
  [{ status: 'unsynched', progress: null, error: null }, true],
  [{ status: 'unsynched', progress: null, error: ERROR }, false],
  [{ status: 'running', progress: null, error: null }, true],
  [{ status: 'synched', progress: PROGRESS, error: null }, true],
  [{ status: 'synched', progress: null, error: ERROR }, false],
  [{ status: 'error', progress: null, error: ERROR }, false],
])('isUnfinished: %j', (datasource, expected) => {
  expect(isUnfinished(datasource)).toBe(expected);
});

it.each<[Pick<Datasource, 'status' | 'progress' | 'error'>, number]>([
  [{ status: 'error', progress: null, error: ERROR }, 0],
  [{ status: 'usage_limit_reached', progress: null, error: ERROR }, 0],
  [{ status: 'unsynched', progress: null, error: ERROR }, 0],
  [{ status: 'running', progress: PROGRESS, error: null }, 1],
  [{ status: 'synched', progress: null, error: ERROR }, 2],
  [{ status: 'synched', progress: null, error: null }, 3],
])('urgencyOf: %j', (datasource, expected) => {
  expect(urgencyOf(datasource)).toBe(expected);
});

const URL = 'https://example.com/pier';

it.each<
  [type: Datasource['type'], name: string, title: string | null, shown: string, address: string | null]
>([
  ['web_page', URL, 'The pier', 'The pier', URL],
  ['web_page', URL, null, URL, URL],
  ['web_page', 'Our pier', 'The pier', 'Our pier', URL],
  ['web_page', 'https://example.com/old', 'The pier', 'The pier', URL],
  ['file', 'pier.pdf', 'Microsoft Word - pier', 'pier.pdf', null],
  ['text', URL, 'The pier', URL, null],
])('a %s named %s with the title %s', (type, name, title, shown, address) => {
  const datasource = { type, name, title, config: type === 'web_page' ? { source_url: URL } : {} };
  expect([displayName(datasource), addressOf(datasource)]).toEqual([shown, address]);
});

it.each([
  ['offer.pdf', 'Sales/2026/offer.pdf', 'Sales/2026'],
  ['offer.pdf', 'offer.pdf', null],
  ['renamed.pdf', 'Sales/offer.pdf', null],
  ['offer.pdf', undefined, null],
])('folderOf: %s at %s', (name, path, expected) => {
  expect(folderOf({ name, metadata: { path } })).toBe(expected);
});

it('finds the links of a document of an export, and none in other metadata', () => {
  const link = { datasourceId: 'd1', name: 'Engine' };
  expect(linksOf({ metadata: { links: [link, { name: 'x' }, null, 'y'] } })).toEqual([link]);
  for (const metadata of [undefined, {}, { links: 'https://example.org' }])
    expect(linksOf({ metadata })).toEqual([]);
});
