import { describe, expect, it } from '@jest/globals';
import { type LeftOut, titleLine, warningOf } from './document.js';

it.each([
  [null, null],
  ['', null],
  [' \u0000\n ', null],
  [' Opening\n hours\u0000 ', 'Opening hours'],
  ['料金表 🦊', '料金表 🦊'],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`${'x'.repeat(254)}🦊`, `${'x'.repeat(254)}\ufffd`],
])('of %j is %j', (title, line) => {
  expect(titleLine(title)).toBe(line);
});

const FILE = { isPage: false };

describe('warningOf', () => {
  it.each<[characters: number, leftOut: LeftOut, isPage: boolean, warned: boolean]>([
    [100, {}, false, false],
    [100, { running: 50 }, false, false],
    [100, { running: 51 }, false, true],
    [100, { running: 30, hidden: 30 }, false, true],
    [100, { navigation: 900 }, false, true],
    [100, { navigation: 900 }, true, false],
    [100, { navigation: 900, hidden: 60 }, true, true],
  ])(
    'warns about the left out text of %d characters and %j (a page: %s): %s',
    (characters, leftOut, isPage, warned) => {
      const warning = warningOf({ characters, leftOut, warnings: [] }, { isPage });
      expect(warning?.code).toBe(warned ? 'MOSTLY_LEFT_OUT' : undefined);
    },
  );

  it('names what was left out', () => {
    const leftOut = { hidden: 1_200, running: 3 };
    expect(warningOf({ characters: 10, leftOut, warnings: [] }, FILE)?.message).toMatch(
      /Characters left out: 3 in running heads and page numbers, 1,200 that no reader sees\.$/,
    );
  });

  it('joins the warnings of the document under the first code', () => {
    const warnings = [
      { code: 'LINES_SKIPPED', message: 'Line 3 was skipped.' },
      { code: 'ENCODING_UNCERTAIN', message: 'The encoding is uncertain.' },
    ] as const;
    expect(warningOf({ characters: 10, leftOut: {}, warnings }, FILE)).toEqual({
      code: 'LINES_SKIPPED',
      message: 'Line 3 was skipped. The encoding is uncertain.',
      retryable: false,
    });
  });
});
