import { expect, it } from '@jest/globals';
import { readAddresses } from './addresses.js';

it.each([
  ['', [], null],
  [
    ' https://a.example/x \n\nhttp://127.0.0.1:8080 ',
    ['https://a.example/x', 'http://127.0.0.1:8080/'],
    null,
  ],
  ['example.com/docs', ['https://example.com/docs'], null],
  ['https://a.example\nword\nhttps://b.example', ['https://a.example/'], 'word'],
  ['ftp://a.example', [], 'ftp://a.example'],
  ['javascript:alert(1)', [], 'javascript:alert(1)'],
])('readAddresses reads %j', (lines, urls, invalid) => {
  expect(readAddresses(lines)).toEqual({ urls, invalid });
});
