import type { DatasourceType } from '@citewell/contracts/schemas';
import type { WrittenBlob } from '../blobs/blob.repository.js';

export interface NewDatasource {
  /** Given where something, such as its content in the blob store, had to be named before. */
  id?: string;
  datastoreId: string;
  type: DatasourceType;
  name: string;
  customId: string | null;
  config: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  mimeType: string | null;
  /** Its bytes, which are in the blob store and belong to the datasource from now on. */
  content: WrittenBlob | null;
  nextSyncAt?: Date | null;
  /**
   * Replaces the datasource of the datastore that has the custom id, if there is one: the content of a file or text,
   * unless the bytes are equal, and the configuration of a web datasource, which is synced. The pages of a web site and
   * the files of an archive belong to their group and are not replaced.
   */
  isUpsert?: boolean;
  /** Not created if the datastore has a file with the same name or the same bytes. Pages and members of groups do not count. */
  refusesDuplicate?: boolean;
}

/** The content of a file or text, and what changes with it. */
export type NewContent = WrittenBlob & {
  mimeType: string | null;
  name?: string;
  metadata?: Record<string, unknown> | null;
  /** Added to the configuration that the datasource has. */
  config?: Record<string, unknown>;
};

/** What was done with an item; or why nothing was. */
export type WriteResult =
  | { outcome: 'created' | 'replaced' | 'unchanged'; id: string }
  | { outcome: 'several' | 'other-type'; id: null }
  /** `id` is that of the file that exists. */
  | { outcome: 'same-name' | 'same-content'; id: string };
