import { expect, it } from '@jest/globals';
import { settingsOf, siteConfigOf } from './web-settings.js';

const EMPTY = { maxPages: 1_000, include: [], exclude: [] };

it.each([
  [{}, null, EMPTY],
  [{ schedule: '' }, null, EMPTY],
  [
    {
      schedule: '0 3 * * 1',
      source_url: 'https://a.example/',
      sitemap: 'https://a.example/map.xml',
      maxPages: 5,
      include: ['**/docs/**', '**/faq'],
      exclude: ['**/old'],
    },
    '0 3 * * 1',
    {
      maxPages: 5,
      sitemap: 'https://a.example/map.xml',
      include: ['**/docs/**', '**/faq'],
      exclude: ['**/old'],
    },
  ],
])('keeps the settings of %j', (config, schedule, expected) => {
  const settings = settingsOf(config);
  expect(settings.schedule).toBe(schedule);
  expect(siteConfigOf(settings)).toEqual(expected);
});

it('reads what a user has typed', () => {
  const typed = { ...settingsOf({}), maxPages: '', sitemap: ' ', include: ' **/a \n\n**/b\n' };
  expect(siteConfigOf(typed)).toEqual({ ...EMPTY, include: ['**/a', '**/b'] });
});
