import { Any, type DataSource, IsNull, Not } from 'typeorm';
import { GroupCommit } from '../../connection/group-commit.js';
import { execute, type Executor, queryRows, sql } from '../../connection/sql.js';
import { BlobEntity } from '../../schema/content.entities.js';

/**
 * A blob that is about to be written. Its key begins with the organization and the datasource that own it.
 */
export type AnnouncedBlob = Pick<BlobEntity, 'key' | 'organizationId' | 'datasourceId' | 'runId'>;

/** A blob whose bytes are all written, and that nothing refers to yet. */
export interface WrittenBlob {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Bytes that a parser, with its limit, has given up. */
interface TimedOutBytes {
  readonly sha256: string;
  readonly timedOut: string;
}

/** The rows of blobs. This module builds their keys, from ids. */
export class BlobRepository {
  private readonly announcements = new GroupCommit<readonly AnnouncedBlob[], void>(async (_, announced) =>
    this.announceAll(announced.flat()).then(() => announced.map(() => undefined)),
  );
  private readonly commits = new GroupCommit<readonly WrittenBlob[], void>(async (organizationId, written) =>
    commitBlobs(this.dataSource, organizationId, written.flat()).then(() => written.map(() => undefined)),
  );

  private readonly finds = new GroupCommit<string, BlobEntity | null>(async (_, keys) => {
    const found = new Map((await this.rows.findBy({ key: Any(keys) })).map((blob) => [blob.key, blob]));
    return keys.map((key) => found.get(key) ?? null);
  });

  private readonly timeouts = new GroupCommit<TimedOutBytes, boolean>(async (organizationId, contents) => {
    const sha256 = Any(contents.map((content) => content.sha256));
    const found = await this.rows.findBy({ organizationId, sha256, timedOut: Not(IsNull()) });
    return contents.map((content) =>
      found.some((blob) => blob.sha256 === content.sha256 && blob.timedOut === content.timedOut),
    );
  });

  constructor(private readonly dataSource: DataSource) {}

  private get rows() {
    return this.dataSource.getRepository(BlobEntity);
  }

  /**
   * Announces blobs of one organization before their first bytes are written. May be repeated after a crash.
   */
  async announce(blobs: readonly AnnouncedBlob[]): Promise<void> {
    const [first] = blobs;
    if (first !== undefined) await this.announcements.submit(first.organizationId, blobs);
  }

  /** Commits blobs whose bytes are written, and to which the run that announced them refers. */
  async commitBlobs(organizationId: string, blobs: readonly WrittenBlob[]): Promise<void> {
    await this.commits.submit(organizationId, blobs);
  }

  /**
   * Those of the keys that something refers to. Waits for transactions that are about to commit the blobs: they may be
   * in progress although their client lost the connection.
   */
  async committed(keys: readonly string[]): Promise<Set<string>> {
    const rows = await queryRows<{ key: string; committed: boolean }>(
      this.dataSource,
      sql`SELECT key, committed FROM blobs WHERE key = ANY(${keys}) ORDER BY key FOR SHARE`,
    );
    return new Set(rows.filter(({ committed }) => committed).map(({ key }) => key));
  }

  async find(key: string): Promise<BlobEntity | null> {
    return this.finds.submit('', key);
  }

  /** Keys of the pages that a run keeps while it recognizes a file, by their number; see {@link recognizedPageKey}. */
  async recognizedPages(run: RunKey): Promise<Map<number, string>> {
    const prefix = recognizedPageKey(run, '');
    const rows = await queryRows<{ key: string }>(
      this.dataSource,
      sql`SELECT key FROM blobs WHERE organization_id = ${run.organizationId}
             AND datasource_id = ${run.datasourceId} AND starts_with(key, ${prefix})`,
    );
    return new Map(rows.map(({ key }) => [Number(key.slice(prefix.length)), key]));
  }

  /** Records that parsing the blob took too long, and by which parser and limit. */
  async recordTimeout(key: string, timedOut: string): Promise<void> {
    await this.rows.update({ key }, { timedOut });
  }

  /** Whether the parser, with its limit, took too long for these bytes in any blob of the organization. */
  async hasTimedOut(organizationId: string, sha256: string, timedOut: string): Promise<boolean> {
    return this.timeouts.submit(organizationId, { sha256, timedOut });
  }

  /** Blobs that were announced a day ago or earlier and not committed: of aborted uploads and dead runs. */
  async abandoned(limit: number): Promise<BlobEntity[]> {
    return this.rows
      .createQueryBuilder('blob')
      .where(`NOT blob.committed AND blob.created_at < now() - interval '1 day'`)
      .orderBy('blob.created_at')
      .take(limit)
      .getMany();
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.rows.delete({ key: Any(keys) });
  }

  /** The rows of those of the keys that have one. */
  async recorded(keys: readonly string[]): Promise<Map<string, BlobEntity>> {
    const rows = await this.rows.findBy({ key: Any(keys) });
    return new Map(rows.map((row) => [row.key, row]));
  }

  private async announceAll(blobs: readonly AnnouncedBlob[]): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO blobs (key, organization_id, datasource_id, run_id, committed, created_at)
          SELECT key, organization_id, datasource_id, run_id, false, now()
            FROM unnest(
                   ${blobs.map(({ key }) => key)}::text[],
                   ${blobs.map(({ organizationId }) => organizationId)}::uuid[],
                   ${blobs.map(({ datasourceId }) => datasourceId)}::uuid[],
                   ${blobs.map(({ runId }) => runId)}::uuid[]
                 ) AS a (key, organization_id, datasource_id, run_id)
          ON CONFLICT (key) DO UPDATE SET committed = false, bytes = 0, sha256 = NULL, created_at = now()`,
    );
  }
}

/** Commits blobs, in the transaction that makes something refer to them. */
export async function commitBlobs(
  manager: Executor,
  organizationId: string,
  blobs: readonly WrittenBlob[],
): Promise<void> {
  if (blobs.length === 0) return;
  await execute(
    manager,
    sql`UPDATE blobs SET bytes = written.bytes, sha256 = written.sha256, committed = true
          FROM unnest(
                 ${blobs.map(({ key }) => key)}::text[],
                 ${blobs.map(({ bytes }) => bytes)}::bigint[],
                 ${blobs.map(({ sha256 }) => sha256)}::text[]
               ) AS written (key, bytes, sha256)
         WHERE blobs.key = written.key AND blobs.organization_id = ${organizationId}`,
  );
}

/** The key of the original bytes of a file or text. Each upload has a key of its own. */
export function contentBlobKey(organizationId: string, datasourceId: string, uploadId: string): string {
  return `${organizationId}/${datasourceId}/${uploadId}/content`;
}

/**
 * The blobs of a run: the fetched bytes, the canonical text, its outline of blocks, its typed tables and the words of its
 * recognized pages if it has any, and the list of its chunks.
 */
export const RUN_BLOB_KINDS = ['fetched', 'text', 'outline', 'tables', 'words', 'chunks'] as const;
export type RunBlobKind = (typeof RUN_BLOB_KINDS)[number];

interface RunKey {
  readonly organizationId: string;
  readonly datasourceId: string;
  readonly id: string;
}

/** The key of a recognized page, which a run keeps until its document is stored. */
export function recognizedPageKey(run: RunKey, page: number | ''): string {
  return `${run.organizationId}/${run.datasourceId}/${run.id}/page-${page}`;
}

/** The key of a run's blob. */
export function runBlobKey(run: RunKey, kind: RunBlobKind): string {
  return `${run.organizationId}/${run.datasourceId}/${run.id}/${kind}`;
}
