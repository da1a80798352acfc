import { describe, expect, it } from '@jest/globals';
import { execute, jsonOfRows, queryRow, queryRows, sql } from './sql.js';

describe('sql', () => {
  it('turns values into parameters, and inserts fragments with their parameters', () => {
    const isOurs = sql`id = ${'r1'} AND owner = ${'w1'}`;
    const statement = sql`UPDATE runs SET space = ${'s'} WHERE ${isOurs} AND ${sql`true`} LIMIT ${5}`;
    expect(statement.text).toBe('UPDATE runs SET space = $1 WHERE id = $2 AND owner = $3 AND true LIMIT $4');
    expect(statement.values).toEqual(['s', 'r1', 'w1', 5]);
    expect([sql`SELECT 1`.text, sql`SELECT 1`.values]).toEqual(['SELECT 1', []]);
  });

  it('returns rows and counts for every kind of statement', async () => {
    const returning = (result: unknown) => ({ query: async () => result }) as never;
    expect(await queryRows(returning([{ id: 1 }]), sql`SELECT`)).toEqual([{ id: 1 }]);
    expect(await queryRows(returning([[{ id: 1 }], 1]), sql`UPDATE`)).toEqual([{ id: 1 }]);
    expect(await queryRow(returning([]), sql`SELECT`)).toBeNull();
    expect(await execute(returning([[], 3]), sql`DELETE`)).toBe(3);
  });

  it('writes rows as JSON that Postgres reads: without lone surrogates', () => {
    const rows = [
      { name: 'a\ud800b😀', config: { title: '\udc00' }, at: new Date(0), none: null, absent: undefined },
    ];
    expect(jsonOfRows(rows)).toBe(
      '[{"name":"a\ufffdb😀","config":{"title":"\ufffd"},"at":"1970-01-01T00:00:00.000Z","none":null}]',
    );
  });
});
