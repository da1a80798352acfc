import type { BlobStore } from '@citewell/blob-store';
import type {
  BlobRepository,
  DatasourceRepository,
  DoctorRepository,
  PurgeRepository,
  RebuildRepository,
} from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';

/** The database, which is the reference, and the stores that a check compares with it. */
export interface CheckContext {
  doctor: DoctorRepository;
  datasources: DatasourceRepository;
  purges: PurgeRepository;
  rebuilds: RebuildRepository;
  blobRows: BlobRepository;
  vectorStore: VectorStore;
  blobStore: BlobStore;
  /** Also read all blobs and compare their digests. */
  isDeep: boolean;
  /** Also remove data that seems to belong to another installation. */
  force: boolean;
}

/** Looks for one kind of damage. Returns no findings for an intact installation. */
export type Check = (context: CheckContext) => Promise<Finding[]>;

/** Damage that a check found. */
export interface Finding {
  /** Describes the affected items, in the plural. It is followed by their number and ids. */
  problem: string;
  ids: readonly string[];
  /** Repairs the damage. Resolves to a sentence about what was done. Null if no repair is possible. */
  repair: (() => Promise<string>) | null;
  /** What to do if no repair is possible. */
  advice?: string;
}

/** Returns one finding for the affected items, or none if there are no items. */
export function findingsFor<Item>(
  problem: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  resolution: { repair: (items: readonly Item[]) => Promise<string> } | { advice: string },
): Finding[] {
  if (items.length === 0) return [];
  const ids = items.map(idOf);
  if ('advice' in resolution) return [{ problem, ids, repair: null, advice: resolution.advice }];
  return [{ problem, ids, repair: () => resolution.repair(items) }];
}
