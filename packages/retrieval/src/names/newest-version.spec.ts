import { describe, expect, it } from '@jest/globals';
import { asksForNewest, newestFirst } from './newest-version.js';

describe('asksForNewest', () => {
  it.each<[question: string, isAsked: boolean]>([
    ['the latest version of the travel policy', true],
    ['current price list', true],
    ['Wo ist die aktuelle Preisliste?', true],
    ['die neueste Fassung der Richtlinie', true],
    ['la dernière version de la charte', true],
    ['la versión más reciente del manual', true],
    ['最新版の就業規則', true],
    ['最新的价格表', true],
    ['the latest policy of 2023', false],
    ['When must I register at the latest?', false],
    ['What is the notice period?', false],
    ['letzte Woche', false],
  ])('reads %j', (question, isAsked) => expect(asksForNewest(question)).toBe(isAsked));
});

describe('newestFirst', () => {
  it.each<[names: string[], ordered: string[]]>([
    [
      ['policy 2022.docx', 'FAQ', 'policy 2024.docx', 'policy 2023.docx'],
      ['policy 2024.docx', 'FAQ', 'policy 2023.docx', 'policy 2022.docx'],
    ],
    [
      ['Rules_v1.2.pdf', 'Rules_v1.10.pdf', 'Rules_v2.0.pdf'],
      ['Rules_v2.0.pdf', 'Rules_v1.10.pdf', 'Rules_v1.2.pdf'],
    ],
    [
      ['Protokoll 05.03.2025', 'Protokoll 07.02.2025'],
      ['Protokoll 05.03.2025', 'Protokoll 07.02.2025'],
    ],
    [
      ['Minutes May 2024', 'Minutes December 2023', 'Minutes July 2024'],
      ['Minutes July 2024', 'Minutes May 2024', 'Minutes December 2023'],
    ],
    [
      ['価格表_20240301', '価格表_20250101'],
      ['価格表_20250101', '価格表_20240301'],
    ],
    [
      ['handbook', 'handbook v2'],
      ['handbook v2', 'handbook'],
    ],
    [
      ['Preisliste Schweiz 2024', 'Preisliste Tirol 2025'],
      ['Preisliste Schweiz 2024', 'Preisliste Tirol 2025'],
    ],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ])('orders %j', (names, ordered) => expect(newestFirst(names, (name) => name)).toEqual(ordered));
});
