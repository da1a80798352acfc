import type { Datasource } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { addressOf, displayName } from './display-name.js';

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
