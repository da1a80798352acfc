import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { TypedTable } from './typed-table.js';
import { tablesFile, writeTables } from './write-tables.js';

const TABLE: TypedTable = {
  name: 'Prices',
  columns: [{ name: 'Zone', type: 'text', currency: null }],
  rows: ['North', 'South'].map((text, at) => ({
    cells: [{ value: text, text }],
    isTotal: false,
    from: at * 6,
    to: at * 6 + 5,
    number: at + 2,
  })),
};

it('writes the same tables to memory as to a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'write-tables-'));
  const path = join(folder, 'a.sqlite');
  expect(writeTables([TABLE], path)).toBe(1);
  const rows = (file: DatabaseSync): unknown[] => [
    file.prepare('SELECT * FROM t1').all(),
    file.prepare('SELECT * FROM columns').all(),
    file.prepare('SELECT * FROM cell_terms').all(),
  ];
  const memory = new DatabaseSync(':memory:') as DatabaseSync & { deserialize(file: Uint8Array): void };
  memory.deserialize(tablesFile([TABLE]) ?? new Uint8Array());
  expect(rows(memory)).toEqual(rows(new DatabaseSync(path, { readOnly: true })));
  expect(readFileSync(path).subarray(0, 15).toString()).toBe('SQLite format 3');
  rmSync(folder, { recursive: true });
});

it('writes nothing without tables', () => {
  expect(tablesFile([])).toBeNull();
});
