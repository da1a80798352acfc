import { sql } from '../connection/sql.js';

/** States of a run that has not ended. A unique index allows one such run for each datasource. */
export const UNFINISHED_STATES = sql`('pending', 'queued', 'active')`;

/** A condition on `runs`: the run has not ended. */
export const UNFINISHED = sql`state IN ${UNFINISHED_STATES}`;
