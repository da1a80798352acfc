import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { lineOf } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { tableAt } from './pdf-tables.js';

const monospaced = (line: Line): Line => ({ ...line, isMonospaced: true });

describe('tableAt', () => {
  it('recognizes rows with only monospaced cells', () => {
    const rows = [
      ['no', 'type', 'description'],
      ['0', 'NILSXP', 'NULL'],
      ['1', 'SYMSXP', 'symbols'],
    ];
    const [header, names, last] = rows.map((row, index) => lineOf(row, 700 - index * 14));
    assert.ok(header && names && last);
    expect(tableAt([header, monospaced(names), last], 0)).toMatchObject({ rows, linkedRows: rows, end: 3 });
  });

  it('ends a table at code and begins none there', () => {
    const lines = [1, 2, 3].map((row) => lineOf([`name ${row}`, `value ${row}`], 700 - row * 14));
    const code = monospaced(lineOf(['x <- 1'], 644));
    expect(tableAt([...lines, code], 0)?.end).toBe(3);
    expect(tableAt(lines.map(monospaced), 0)).toBeNull();
  });
});
