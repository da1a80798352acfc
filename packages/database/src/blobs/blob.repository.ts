import type { DataSource, EntityManager } from 'typeorm';
import { BlobEntity } from './blob.entity.js';
import { GroupCommit } from '../connection/group-commit.js';

/** A blob that is about to be written. Its key tells whose it is, and never changes hands. */
export type AnnouncedBlob = Pick<BlobEntity, 'key' | 'organizationId' | 'datasourceId' | 'runId'>;

/** A blob whose bytes are all there, and that nothing refers to yet. */
export interface WrittenBlob {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The rows of what lies in the blob store. Keys are made here, from ids. */
export class BlobRepository {
  private readonly announcements = new GroupCommit<readonly AnnouncedBlob[], void>(async (_, announced) =>
    this.announceAll(announced.flat()).then(() => announced.map(() => undefined)),
  );
  private readonly written = new GroupCommit<readonly WrittenBlob[], void>(async (organizationId, written) =>
    keepBlobs(this.dataSource.manager, organizationId, written.flat()).then(() =>
      written.map(() => undefined),
    ),
  );

  constructor(private readonly dataSource: DataSource) {}

  private get rows() {
    return this.dataSource.getRepository(BlobEntity);
  }

  /** Announces blobs of one organization before their first bytes are written. Doing it again, after a crash, is harmless. */
  async announce(blobs: readonly AnnouncedBlob[]): Promise<void> {
    const [first] = blobs;
    if (first !== undefined) await this.announcements.ask(first.organizationId, blobs);
  }

  /** Their bytes are all there, and what announced them refers to them. */
  async writtenAndKept(organizationId: string, blobs: readonly WrittenBlob[]): Promise<void> {
    await this.written.ask(organizationId, blobs);
  }

  async commit(keys: readonly string[]): Promise<void> {
    await this.dataSource.query('UPDATE blobs SET committed = true WHERE key = ANY($1)', [keys]);
  }

  /**
   * Whether something refers to a blob. Waits for a transaction that is about to decide it: a commit whose connection
   * broke may still be under way.
   */
  async isCommitted(key: string): Promise<boolean> {
    const rows = await this.dataSource.query<{ committed: boolean }[]>(
      'SELECT committed FROM blobs WHERE key = $1 FOR SHARE',
      [key],
    );
    return rows[0]?.committed ?? false;
  }

  async find(key: string): Promise<BlobEntity | null> {
    return this.rows.findOneBy({ key });
  }

  /** Blobs that were announced a day ago or earlier and never committed: cut-off uploads and dead runs. */
  async abandoned(limit: number): Promise<BlobEntity[]> {
    return this.rows
      .createQueryBuilder('blob')
      .where(`NOT blob.committed AND blob.created_at < now() - interval '1 day'`)
      .orderBy('blob.created_at')
      .take(limit)
      .getMany();
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.dataSource.query('DELETE FROM blobs WHERE key = ANY($1)', [keys]);
  }

  /** Every key that has a row, among these. */
  async known(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.dataSource.query<{ key: string }[]>('SELECT key FROM blobs WHERE key = ANY($1)', [
      keys,
    ]);
    return new Set(rows.map((row) => row.key));
  }

  private async announceAll(blobs: readonly AnnouncedBlob[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO blobs (key, organization_id, datasource_id, run_id, committed, created_at)
       SELECT key, organization_id, datasource_id, run_id, false, now()
         FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[]) AS a (key, organization_id, datasource_id, run_id)
       ON CONFLICT (key) DO UPDATE SET committed = false, created_at = now()`,
      [
        blobs.map(({ key }) => key),
        blobs.map(({ organizationId }) => organizationId),
        blobs.map(({ datasourceId }) => datasourceId),
        blobs.map(({ runId }) => runId),
      ],
    );
  }
}

/** See {@link BlobRepository.writtenAndKept}; inside the transaction that refers to them. */
export async function keepBlobs(
  manager: EntityManager,
  organizationId: string,
  blobs: readonly WrittenBlob[],
): Promise<void> {
  if (blobs.length === 0) return;
  await manager.query(
    `UPDATE blobs SET bytes = written.bytes, sha256 = written.sha256, committed = true
       FROM unnest($1::text[], $2::bigint[], $3::text[]) AS written (key, bytes, sha256)
      WHERE blobs.key = written.key AND blobs.organization_id = $4`,
    [
      blobs.map(({ key }) => key),
      blobs.map(({ bytes }) => bytes),
      blobs.map(({ sha256 }) => sha256),
      organizationId,
    ],
  );
}

/** Where the original bytes of a file or text lie. Each upload has a key of its own. */
export function contentBlobKey(organizationId: string, datasourceId: string, uploadId: string): string {
  return `${organizationId}/${datasourceId}/${uploadId}/content`;
}

/** What one run keeps: the fetched bytes, the canonical text, the outline of blocks over it, the list of its chunks. */
export const RUN_BLOB_KINDS = ['fetched', 'text', 'outline', 'chunks'] as const;
export type RunBlobKind = (typeof RUN_BLOB_KINDS)[number];

/** Where a run's blob of that kind lies. */
export function runBlobKey(
  run: { organizationId: string; datasourceId: string; id: string },
  kind: RunBlobKind,
): string {
  return `${run.organizationId}/${run.datasourceId}/${run.id}/${kind}`;
}
