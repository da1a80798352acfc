import type { BlobStore } from '@citewell/blob-store';
import type {
  BlobRepository,
  DatasourceRepository,
  DoctorRepository,
  PurgeRepository,
  RebuildRepository,
} from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';
import type { Finding } from './finding.js';

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
