import { InitialSchema1763600000000 } from './1763600000000-initial-schema.migration.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [InitialSchema1763600000000];
