import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ANSWERS_AND_INTERFACES } from './initial/answers-and-interfaces.js';
import { CONTENT_AND_RUNS } from './initial/content-and-runs.js';
import { ORGANIZATIONS_AND_PEOPLE } from './initial/organizations-and-people.js';

/**
 * The whole schema. Constraint and index names such as `PK_…` are TypeORM's; a test compares this schema with the
 * entities.
 */
export class InitialSchema1795968000000 implements MigrationInterface {
  name = 'InitialSchema1795968000000';

  async up(runner: QueryRunner): Promise<void> {
    // Each list refers only to its own tables and to those of the lists before.
    for (const statement of [...ORGANIZATIONS_AND_PEOPLE, ...CONTENT_AND_RUNS, ...ANSWERS_AND_INTERFACES])
      await runner.query(statement);
  }

  /** Migrations go forward only. To roll back a release, restore a backup. */
  async down(): Promise<void> {
    throw new Error('This migration cannot be undone. Restore a backup.');
  }
}
