import { expect, it } from '@jest/globals';
import { askedIdentifiers, joinedIdentifiers } from './identifiers.js';

it.each<[text: string, joined: string[]]>([
  ['The bracket KX 200 B carries', ['kx200', 'kx200b', '200b']],
  ['a screw M8 x 40.', ['m8x', 'm8x40', 'x40']],
  ['the car AA 00 1111', ['aa00', 'aa001111']],
  ['ISO/IEC 27001', ['isoiec27001', 'iec27001']],
  ['KX200B', []],
  ['The answer is 42', []],
])('joins the parts of identifiers in %j', (text, joined) => expect(joinedIdentifiers(text)).toEqual(joined));

it('joins what a question has in lower case', () => {
  expect([...askedIdentifiers('what does kx 200 b carry?')]).toEqual([
    ['kx 200', 'kx200'],
    ['kx 200 b', 'kx200b'],
    ['200 b', '200b'],
  ]);
});
