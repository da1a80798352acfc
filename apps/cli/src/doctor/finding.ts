import type { BlobStore } from '@citewell/blob-store';
import type {
  DatasourceRepository,
  DoctorRepository,
  BlobRepository,
  PurgeRepository,
} from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';

/** What the doctor looks at: the truth, and the stores that should equal it. */
export interface Patient {
  doctor: DoctorRepository;
  datasources: DatasourceRepository;
  purges: PurgeRepository;
  blobRows: BlobRepository;
  vectorStore: VectorStore;
  blobStore: BlobStore;
  /** Remove also what looks like another installation's. */
  force: boolean;
}

/** Something that is not as it should be. */
export interface Finding {
  /** Of what, in the plural, for a person. */
  problem: string;
  ids: readonly string[];
  /** Mends it and says how, or what is still to come; null where nobody can. */
  repair: (() => Promise<string>) | null;
  /** Where there is no repair: what to do instead. */
  advice?: string;
}

/** Looks for one kind of damage. A healthy patient has no findings. */
export type Check = (patient: Patient) => Promise<Finding[]>;

/** A finding if there is anything to it. */
export function findingOf<Item>(
  problem: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  mending: { repair: (items: readonly Item[]) => Promise<string> } | { advice: string },
): Finding[] {
  if (items.length === 0) return [];
  const ids = items.map(idOf);
  if ('advice' in mending) return [{ problem, ids, repair: null, advice: mending.advice }];
  return [{ problem, ids, repair: () => mending.repair(items) }];
}
