import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute, queryRow, queryRows, sql } from './sql.js';

describe('sql', () => {
  it('turns values into parameters, and inserts fragments with their parameters', () => {
    const isOurs = sql`id = ${'r1'} AND owner = ${'w1'}`;
    const statement = sql`UPDATE runs SET space = ${'s'} WHERE ${isOurs} AND ${sql`true`} LIMIT ${5}`;
    assert.equal(statement.text, 'UPDATE runs SET space = $1 WHERE id = $2 AND owner = $3 AND true LIMIT $4');
    assert.deepEqual(statement.values, ['s', 'r1', 'w1', 5]);
    assert.deepEqual([sql`SELECT 1`.text, sql`SELECT 1`.values], ['SELECT 1', []]);
  });

  it('returns rows and counts for every kind of statement', async () => {
    const returning = (result: unknown) => ({ query: async () => result }) as never;
    assert.deepEqual(await queryRows(returning([{ id: 1 }]), sql`SELECT`), [{ id: 1 }]);
    assert.deepEqual(await queryRows(returning([[{ id: 1 }], 1]), sql`UPDATE`), [{ id: 1 }]);
    assert.equal(await queryRow(returning([]), sql`SELECT`), null);
    assert.equal(await execute(returning([[], 3]), sql`DELETE`), 3);
  });
});
