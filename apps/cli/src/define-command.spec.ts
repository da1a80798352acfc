import { expect, it } from '@jest/globals';
import { didYouMean } from './define-command.js';

const COMMANDS = ['add', 'ask', 'ls', 'rm', 'status', 'doctor'];

it.each([
  ['dcotor', ' Did you mean doctor?'],
  ['list', ' Did you mean ls?'],
  ['statsu', ' Did you mean status?'],
  ['fly', ''],
  ['toString', ''],
  ['', ''],
])('for "%s" is "%s"', (written, sentence) => {
  expect(didYouMean(written, COMMANDS)).toBe(sentence);
});
