import { describe, expect, it } from '@jest/globals';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import type { Fetched } from '../fetching/url-fetcher.js';
import { type LoadOptions, PageLoader, type PageResponse } from './page-loader.js';
import { readPage } from './responses.fixtures.js';

const HTML_TEXT = '<!DOCTYPE html><p>Hello';

const ROWS: readonly (readonly [path: string, declared: string | null, body: string, loaded: string])[] = [
  ['a', 'text/html', HTML_TEXT, 'html'],
  ['a', null, HTML_TEXT, 'html'],
  ['a.html', 'text/plain', HTML_TEXT, 'html'],
  ['a', 'application/octet-stream', HTML_TEXT, 'html'],
  ['a.txt', 'text/plain', HTML_TEXT, 'text/plain'],
  ['a.csv', 'application/octet-stream', 'a,b', 'text/csv'],
  ['a.css', 'text/css', 'p {}', 'unsupported'],
];

async function load(path: string, contentType: string | null, body: string): Promise<PageResponse> {
  const url = `https://site.example/${path}`;
  const answer = fetchResult(url, { contentType });
  const loader = new PageLoader(
    { fetch: async () => ({ kind: 'content', answer, bytes: Buffer.from(body) }) },
    { read: async () => readPage('Hello') },
    { open: async (page) => page },
  );
  // The fakes need no other options.
  return loader.load(url, { render: 'never', answers: false } as Parameters<PageLoader['load']>[1]);
}

describe('PageLoader', () => {
  for (const [path, declared, body, loaded] of ROWS) {
    it(`loads ${path}, declared as ${declared}, as ${loaded}`, async () => {
      const response = await load(path, declared, body);
      expect(response.kind === 'file' ? (response.contentType ?? 'unsupported') : response.kind).toBe(loaded);
    });
  }

  it.each<[excluded: string, requested: string[]]>([
    ['none', ['page', 'frame', 'moved']],
    ['frame', ['page']],
    ['moved', ['page', 'frame']],
  ])('requests no embedded page that is left out: %s', async (excluded, requested) => {
    const addressOf = (name: string): string => `https://site.example/${name}`;
    const seen: string[] = [];
    const fetch = async (url: string): Promise<Fetched> => {
      seen.push(url);
      if (url === addressOf('frame'))
        return { kind: 'redirect', location: addressOf('moved'), target: addressOf('moved') };
      return { kind: 'content', answer: fetchResult(url), bytes: Buffer.from(HTML_TEXT) };
    };
    const loader = new PageLoader(
      { fetch },
      { read: async () => readPage('Hello', { embedded: { url: addressOf('frame'), offset: 0 } }) },
      { open: async (page) => page },
    );
    const allows = (url: string): boolean => url !== addressOf(excluded);
    const response = await loader.load(addressOf('page'), {
      render: 'never',
      answers: false,
      allows,
    } as LoadOptions);
    expect([response.kind, seen]).toEqual(['html', requested.map(addressOf)]);
  });
});
