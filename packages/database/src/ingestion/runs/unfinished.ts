import { sql } from '../../connection/sql.js';

/** States of a run that has not ended. */
export const UNFINISHED_STATES = sql`('pending', 'queued', 'active', 'waiting')`;

/**
 * A condition on `runs`: the run brings its datasource up to date, and has not ended. A unique index allows one such
 * run for each datasource.
 */
export const UNFINISHED = sql`(state IN ${UNFINISHED_STATES} AND trigger <> 'reindex')`;

/**
 * A condition on `runs`: the run indexes the serving text again, in the background, and has not ended. A unique index
 * allows one such run for each datasource, besides an {@link UNFINISHED} one.
 */
export const REINDEXING = sql`(state IN ${UNFINISHED_STATES} AND trigger = 'reindex')`;
