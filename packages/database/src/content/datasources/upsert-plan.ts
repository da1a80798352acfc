import type { DatasourceType } from '@citewell/contracts/schemas';
import type { DatasourceEntity } from '../../schema/content.entities.js';
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
  /** Of a source: replaces all that are stored. If it is absent, these stay. */
  sealedSecrets?: Record<string, string>;
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

/** New values. Fields that are absent stay as they are. */
export interface DatasourceChange extends Partial<
  Pick<DatasourceEntity, 'name' | 'customId' | 'config' | 'nextSyncAt' | 'requestedSync' | 'sealedSecrets'>
> {
  /** Another run follows an unfinished run that has started, because that may have read what changes now. */
  readonly followsRun?: boolean;
}

/** What was done with an item, or why nothing was. */
export type WriteOutcome =
  | { ok: true; outcome: 'created' | 'replaced' | 'unchanged' }
  | { ok: false; reason: 'several' | 'other-type' | 'same-name' | 'same-content' };

/** With the id of the datasource, or of the file that has the same name or content. */
export type WriteResult = WriteOutcome & { id: string | null };

/** A datasource that an upsert may be about, with what tells whether it is up to date. */
export interface ExistingDatasource {
  readonly datasource: DatasourceEntity;
  /** Digest of its content; null for a web datasource. */
  readonly sha256: string | null;
  readonly hasUnfinishedRun: boolean;
}

/** What is to be done with an item. */
export type WritePlan =
  | { action: 'create' }
  /** Several datasources have the custom id, or the one that has it is of another type. */
  | { action: 'refuse'; reason: 'several' | 'other-type' }
  /** The content and its encoding are equal, and it is indexed or will be. */
  | { action: 'keep'; existing: ExistingDatasource }
  | { action: 'replace'; existing: ExistingDatasource; content: WrittenBlob }
  /** A web datasource, whose content is known after its run. */
  | { action: 'sync'; existing: ExistingDatasource };

/** @param existing all datasources that are not deleted and have the custom id of the item, or two of them */
export function planWrite(item: NewDatasource, existing: readonly ExistingDatasource[]): WritePlan {
  const [first, second] = item.isUpsert ? existing : [];
  if (first === undefined) return { action: 'create' };
  if (second !== undefined) return { action: 'refuse', reason: 'several' };
  const { datasource, sha256, hasUnfinishedRun } = first;
  const { content } = item;
  if (datasource.type !== item.type) return { action: 'refuse', reason: 'other-type' };
  if (content === null) return { action: 'sync', existing: first };
  const { encoding } = item.config;
  const isEqual =
    sha256 === content.sha256 &&
    datasource.mimeType === item.mimeType &&
    (encoding === undefined || encoding === datasource.config['encoding']);
  // A warning about the content itself stays as long as the content does.
  const { status, error } = datasource;
  const isIndexed = error === null || (status === 'synched' && !error.retryable) || hasUnfinishedRun;
  return isEqual && isIndexed
    ? { action: 'keep', existing: first }
    : { action: 'replace', existing: first, content };
}

/** Splits items so that no two of a round have the same custom id. Those with the same one keep their order. */
export function roundsOf<Item extends Pick<NewDatasource, 'customId'>>(items: readonly Item[]): Item[][] {
  const rounds: Item[][] = [];
  const nextRound = new Map<string, number>();
  for (const item of items) {
    const round = item.customId === null ? 0 : (nextRound.get(item.customId) ?? 0);
    if (item.customId !== null) nextRound.set(item.customId, round + 1);
    (rounds[round] ??= []).push(item);
  }
  return rounds;
}
