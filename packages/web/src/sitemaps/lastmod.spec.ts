import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseLastmod } from './lastmod.js';

const ROWS: readonly (readonly [text: string, iso: string | null])[] = [
  ['2026', '2026-01-01T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  [' 2026/11/20\n', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T12:30Z', '2026-11-20T12:30:00.000Z'],
  ['2026-11-20T12:30:45+01:00', '2026-11-20T11:30:45.000Z'],
  ['2026-11-20T12:30:45.1234567-0230', '2026-11-20T15:00:45.000Z'],
  ['2026-11-20T12:30:45+02', '2026-11-20T10:30:45.000Z'],
  ['2026-11-20 12:30:45', '2026-11-20T12:30:45.000Z'],
  ['2026-11-20 12:30:45 UTC', '2026-11-20T12:30:45.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', null],
  ['2026-13-01', null],
  ['2026-11-20T25:00Z', null],
  ['0000-00-00', null],
  ['20.11.2026', null],
  ['Fri, 20 Nov 2026 12:00:00 GMT', '2026-11-20T12:00:00.000Z'],
  ['Fri, 20 Nov 2026 12:00:00 +0100', '2026-11-20T11:00:00.000Z'],
  ['20 Nov 2026 12:00 EST', '2026-11-20T17:00:00.000Z'],
  ['Friday, 20-Nov-26 12:00:00 GMT', '2026-11-20T12:00:00.000Z'],
  ['Tue, 1 September 1998', '1998-09-01T00:00:00.000Z'],
  ['1 Jan 70', '1970-01-01T00:00:00.000Z'],
  ['Fri, 31 Nov 2026 12:00:00 GMT', null],
  ['20 Foo 2026', null],
  ['yesterday', null],
  ['', null],
];

describe('parseLastmod', () => {
  for (const [text, iso] of ROWS) {
    it(`reads ${JSON.stringify(text)}`, () => assert.equal(parseLastmod(text)?.toISOString() ?? null, iso));
  }

  it('reads what JavaScript and HTTP write', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          date.setMilliseconds(0);
          assert.equal(parseLastmod(date.toISOString())?.getTime(), date.getTime());
          assert.equal(parseLastmod(date.toUTCString())?.getTime(), date.getTime());
        },
      ),
    );
  });
});
