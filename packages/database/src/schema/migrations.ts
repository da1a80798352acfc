import { InitialSchema1764900000000 } from './1764900000000-initial-schema.migration.js';
import { Sessions1795510000000 } from './1795510000000-sessions.migration.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [InitialSchema1764900000000, Sessions1795510000000];
