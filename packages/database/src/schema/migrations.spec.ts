import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS, timeOf } from './migrations.js';

const FOLDER = new URL('../../src/schema/', import.meta.url);
/** Statements after which a process of the previous release may fail. */
const REMOVES =
  /\b(?:DROP (?:TABLE|COLUMN)|RENAME|SET NOT NULL|DROP DEFAULT)\b|\bDROP "|ALTER (?:COLUMN )?"\w+" TYPE/;

describe('MIGRATIONS', () => {
  const names = MIGRATIONS.map((migration) => new migration().name);

  it('are ordered by their time', () => {
    const times = names.map(timeOf);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('are named `…Contract` if they remove something', () => {
    for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.migration.ts'))) {
      const time = file.slice(0, 13);
      if (!REMOVES.test(readFileSync(new URL(file, FOLDER), 'utf8'))) continue;
      expect([file, names.find((name) => name.endsWith(time))]).toEqual([
        file,
        expect.stringMatching(/Contract\d+$/),
      ]);
    }
  });

  it.each([
    ['ALTER TABLE "datastores" DROP "color"', true],
    ['ALTER TABLE "datastores" DROP COLUMN "color"', true],
    ['ALTER TABLE "runs" ALTER COLUMN "state" TYPE text', true],
    ['ALTER TABLE "runs" ALTER "state" SET NOT NULL', true],
    ['ALTER TABLE "runs" RENAME "state" TO "status"', true],
    ['DROP INDEX "runs_state"', false],
    ['ALTER TABLE "datastores" ADD "color" text', false],
  ])('%s removes something: %s', (statement, removes) => expect(REMOVES.test(statement)).toBe(removes));
});
