import { describe, expect, it } from '@jest/globals';
import { SeenTexts } from './seen-texts.js';

const MENU = ['Boats', 'Prices', 'Opening hours', 'How to find us', 'All about our harbour', 'Imprint'];
const PROSE = 'The harbour opens at nine, and closes when the last boat is back. '.repeat(80);

type Visit = readonly [page: string, lines: readonly string[], isShell: boolean];
const CASES: readonly (readonly [title: string, ...visits: Visit[]])[] = [
  ['equal texts', ['a.example/1', MENU, false], ['a.example/2', MENU, true], ['a.example/3', MENU, true]],
  [
    'texts that differ by a title',
    ['a.example/1', ['Rowing', ...MENU], false],
    ['a.example/2', ['Sailing', ...MENU], true],
    ['a.example/3', [...MENU, 'Fees'], true],
  ],
  [
    'menus in another order, and with one entry less',
    ['a.example/1', MENU, false],
    ['a.example/2', MENU.toReversed(), true],
    ['a.example/3', MENU.slice(1), true],
  ],
  [
    'the first page once others have shown what it is',
    ['a.example/1', MENU, false],
    ['a.example/2', MENU, true],
    ['a.example/1', MENU, true],
  ],
  ['no page that is fetched again', ['a.example/1', MENU, false], ['a.example/1', MENU, false]],
  ['no page of another host', ['a.example/1', MENU, false], ['b.example/1', MENU, false]],
  [
    'no page with a text of its own',
    ['a.example/1', [...MENU, 'Rowing boats have two seats, and life jackets for all of them.'], false],
    ['a.example/2', [...MENU, 'Sailing boats are let only to people who have a licence.'], false],
  ],
  [
    'no long page of which a part is new, but equal ones',
    ['a.example/1', [PROSE, 'One'], false],
    ['a.example/2', [PROSE, 'Two'], false],
    ['a.example/3', [PROSE, 'Two'], true],
  ],
  ['no page without text', ['a.example/1', [], false], ['a.example/2', ['', ' '], false]],
];

describe('SeenTexts', () => {
  for (const [title, ...visits] of CASES) {
    it(`recognizes ${title}`, () => {
      const seen = new SeenTexts();
      const found = visits.map(([page, lines]) =>
        seen.isMostlyElsewhere(`https://${page}`, Buffer.from(lines.join('\n'), 'utf16le')),
      );
      expect(found).toEqual(visits.map(([, , isShell]) => isShell));
    });
  }
});
