import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { lineOf } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { tablesIn } from './pdf-tables.js';

const monospaced = (line: Line): Line => ({ ...line, isMonospaced: true });

describe('tablesIn', () => {
  it('recognizes rows with only monospaced cells', () => {
    const rows = [
      ['no', 'type', 'description'],
      ['0', 'NILSXP', 'NULL'],
      ['1', 'SYMSXP', 'symbols'],
    ];
    const [header, names, last] = rows.map((row, index) => lineOf(row, 700 - index * 14));
    assert.ok(header && names && last);
    expect(tablesIn([header, monospaced(names), last]).get(0)).toMatchObject({
      rows,
      linkedRows: rows,
      end: 3,
    });
  });

  it('ends a table at code and begins none there', () => {
    const lines = [1, 2, 3].map((row) => lineOf([`name ${row}`, `value ${row}`], 700 - row * 14));
    const code = monospaced(lineOf(['x <- 1'], 644));
    expect(tablesIn([...lines, code]).get(0)?.end).toBe(3);
    expect(tablesIn(lines.map(monospaced)).size).toBe(0);
  });

  it('takes linear time for a page of thousands of lines that are no table', () => {
    const list = Array.from({ length: 6_000 }, (_, n) => lineOf([`${n % 99}.`, 'words'], -n * 14));
    const started = process.cpuUsage();
    expect(tablesIn(list).size).toBe(0);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3_000);
  });
});
