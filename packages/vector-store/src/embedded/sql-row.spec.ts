import { expect, it } from '@jest/globals';
import { makePoint, makeTenant } from '../conformance/conformance.fixtures.js';
import { payloadChecksum } from './sql-row.js';

it.each(['section-1', 'été', '\ud83d', 'a\udc00b', '', '😀'])(
  'the checksum of a row with the anchor %j is that of the row as SQLite returns it',
  (anchor) => {
    const point = { ...makePoint(makeTenant(), 'The tide turns.'), anchor };
    const read = { ...point, anchor: Buffer.from(anchor).toString() };
    expect(payloadChecksum(read)).toBe(payloadChecksum(point));
  },
);
