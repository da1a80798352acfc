import { describe, expect, it } from '@jest/globals';
import { inLogicalOrder, isMostlyRightToLeft, unmirrored } from './visual-order.js';

describe('inLogicalOrder', () => {
  // Letters are given from left to right, as they are drawn.
  it.each<[kind: string, visual: string, logical: string]>([
    ['a word', 'םולש', 'שלום'],
    ['a number', '12 רפסמ', 'מספר 12'],
    ['an amount', '%2.50 רפסמ', 'מספר %2.50'],
    ['two numbers', '7 , 12 רפסמ', 'מספר 12 , 7'],
    ['Latin words', 'Model X םולש', 'שלום Model X'],
    ['words on both sides', 'רפסמ ab cd םולש', 'שלום ab cd מספר'],
  ])('reads %s from right to left', (_, visual, logical) => {
    expect(inLogicalOrder([...visual], (letter) => letter, true).join('')).toBe(logical);
  });

  it.each<[kind: string, visual: string, logical: string]>([
    ['no other words', 'abc 12', 'abc 12'],
    ['a word from right to left', 'the word םולש is', 'the word שלום is'],
    ['two words from right to left', 'say רפסמ םולש now', 'say שלום מספר now'],
    ['a number after it', 'the םולש 12 times', 'the שלום 12 times'],
  ])('reads %s from left to right', (_, visual, logical) => {
    expect(inLogicalOrder([...visual], (letter) => letter, false).join('')).toBe(logical);
  });

  it('keeps the letters of an item in their order', () => {
    expect(inLogicalOrder(['م', 'لا', 'س'], (item) => item, true)).toEqual(['س', 'لا', 'م']);
  });
});

describe('unmirrored', () => {
  it.each([
    [')שלום(', '(שלום)'],
    ['(שלום)', '(שלום)'],
    ['שלום)', 'שלום)'],
    ['שלום', 'שלום'],
  ])('%s: %s', (text, expected) => {
    expect(unmirrored(text)).toBe(expected);
  });
});

describe('isMostlyRightToLeft', () => {
  it.each([
    ['שלום ab', true],
    ['של abcd', false],
    ['12', false],
  ])('%s: %s', (text, expected) => {
    expect(isMostlyRightToLeft(text)).toBe(expected);
  });
});
