import { describe, expect, it } from '@jest/globals';
import { type CitedPassage, citationAddress, toSource } from './passage.mapper.js';
import type { FoundPassage } from './retriever.service.js';

const URL_OF_PAGE = 'https://example.org/guide';
const passage = (fields: Partial<CitedPassage>): CitedPassage => ({
  url: URL_OF_PAGE,
  contentType: 'text/html',
  anchor: null,
  headingPath: [],
  text: '',
  ...fields,
});

describe('citationAddress', () => {
  it('replaces the fragment of the URL with the anchor', () => {
    for (const url of [URL_OF_PAGE, `${URL_OF_PAGE}#intro`, `${URL_OF_PAGE}#`]) {
      expect(citationAddress(passage({ url, anchor: 'install' }))).toBe(`${URL_OF_PAGE}#install`);
    }
    const address = citationAddress(passage({ anchor: '50% off?&x#y' }));
    expect(address).toBe(`${URL_OF_PAGE}#50%25%20off%3F%26x%23y`);
    expect(decodeURIComponent(new URL(address).hash)).toBe('#50% off?&x#y');
  });

  const sentence = 'The lens of Augustin Fresnel was first lit at Cordouan in 1823.';
  const fragment = ':~:text=The%20lens%20of%20Augustin%20Fresnel%20was%20first%20lit';

  it('uses the first words of prose when there is no anchor', () => {
    const texts = [
      sentence,
      `The Fresnel lens and all the other lamps of that coast\n\n${sentence}`,
      `Lens\n\n- An item of a list is no prose, and stands there with a sign\n\n${sentence}`,
      `Year | Lamp of the year | Light of the lamp | Height\n1823 | Cordouan | white | 60\n\n${sentence}`,
      `1. An item with a number before it is none either\n   nor is its second line\n\n${sentence}`,
      `Area is x^2, and only four plain words are before that\n\n${sentence}`,
    ];
    const headingPath = ['Lamps', 'The Fresnel lens and all the other lamps of that coast'];
    for (const text of texts)
      expect([text, citationAddress(passage({ text, headingPath }))]).toEqual([
        text,
        `${URL_OF_PAGE}#${fragment}`,
      ]);
  });

  it('uses fewer words when all lines are short, and the plain URL when there is no prose', () => {
    const address = (text: string): string => citationAddress(passage({ text }));
    expect(address('Short\n\nIt is lit again.')).toBe(`${URL_OF_PAGE}#:~:text=It%20is%20lit%20again`);
    for (const text of ['', 'Short', '- a\n- b', 'a | b']) expect(address(text)).toBe(URL_OF_PAGE);
  });

  it('escapes the characters that have a meaning in a text directive', () => {
    const text = 'Well-known lamps, lights & beacons: all are lit at dusk.';
    const address = citationAddress(passage({ text }));
    expect([
      address,
      address.endsWith('#:~:text=Well%2Dknown%20lamps%2C%20lights%20%26%20beacons%3A%20all%20are%20lit'),
    ]).toEqual([address, true]);
  });

  it('finds words in text without spaces', () => {
    const [, words = ''] = citationAddress(
      passage({ text: '专家王先生表示，新标准将使产品更加安全。消费者购买时应查看标签。' }),
    ).split('text=');
    expect(decodeURIComponent(words)).toMatch(/^专家王先生表示，.{1,12}$/u);
  });

  it('keeps the fragment of the URL, and adds no text directive to documents that are not HTML', () => {
    const at = (url: string, contentType: string | null = 'text/html'): string =>
      citationAddress(passage({ url, contentType, text: sentence }));
    expect(at(`${URL_OF_PAGE}#/lamps`)).toBe(`${URL_OF_PAGE}#/lamps${fragment}`);
    expect(at(`${URL_OF_PAGE}#a:~:text=other`)).toBe(`${URL_OF_PAGE}#a${fragment}`);
    for (const contentType of ['application/pdf', 'text/plain', 'text/markdown', null]) {
      expect(at(URL_OF_PAGE, contentType)).toBe(URL_OF_PAGE);
    }
  });
});

it.each([
  [undefined, undefined],
  [new Date('2026-03-02T08:20:00Z'), '2026-03-02T08:20:00.000Z'],
])('says that the document changed at %s', (changedAt, expected) => {
  const run = {
    datasourceId: 'd',
    datasourceName: 'D',
    sourceUrl: null,
    customId: null,
    mimeType: null,
  };
  const passage = {
    run,
    contentHash: 'h',
    text: 't',
    headingPath: [],
    page: null,
  } as unknown as FoundPassage;
  expect(toSource(passage, { cited: true, quote: undefined, changedAt }).changed_at).toBe(expected);
});
