import type { DataSource } from 'typeorm';
import { GroupCommit } from '../../connection/group-commit.js';
import { execute, queryRows, sql } from '../../connection/sql.js';

/** A stored small blob, without its content. */
export interface SmallBlob {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

const LISTED_ROWS = 500;

/** The contents of small blobs, by key. Calls of the same turn of the event loop share a statement. */
export class SmallBlobRepository {
  private readonly puts = new GroupCommit<readonly [key: string, content: Uint8Array], void>(
    async (_, blobs) => this.putAll(new Map(blobs)).then(() => blobs.map(() => undefined)),
  );
  private readonly finds = new GroupCommit<string, Buffer | null>(async (_, keys) => {
    const rows = await queryRows<{ key: string; content: Buffer }>(
      this.dataSource,
      sql`SELECT key, content FROM small_blobs WHERE key = ANY(${keys})`,
    );
    const found = new Map(rows.map(({ key, content }) => [key, content]));
    return keys.map((key) => found.get(key) ?? null);
  });
  private readonly sizes = new GroupCommit<string, number | null>(async (_, keys) => {
    const rows = await queryRows<{ key: string; bytes: number }>(
      this.dataSource,
      sql`SELECT key, octet_length(content) AS bytes FROM small_blobs WHERE key = ANY(${keys})`,
    );
    const found = new Map(rows.map(({ key, bytes }) => [key, bytes]));
    return keys.map((key) => found.get(key) ?? null);
  });
  private readonly deletions = new GroupCommit<readonly string[], void>(async (_, keys) =>
    execute(this.dataSource, sql`DELETE FROM small_blobs WHERE key = ANY(${keys.flat()})`).then(() =>
      keys.map(() => undefined),
    ),
  );

  constructor(private readonly dataSource: DataSource) {}

  /** Writes a blob, or replaces it. Of concurrent writes of one key, the last one wins. */
  async put(key: string, content: Uint8Array): Promise<void> {
    await this.puts.submit('', [key, content]);
  }

  async find(key: string): Promise<Buffer | null> {
    return this.finds.submit('', key);
  }

  /** The size of a blob in bytes. */
  async size(key: string): Promise<number | null> {
    return this.sizes.submit('', key);
  }

  async delete(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.deletions.submit('', keys);
  }

  /** Those of the keys that have a small blob. */
  async known(keys: readonly string[]): Promise<Set<string>> {
    const rows = await queryRows<{ key: string }>(
      this.dataSource,
      sql`SELECT key FROM small_blobs WHERE key = ANY(${keys})`,
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** The blobs whose key has the prefix, in the order of their keys. */
  async *list(prefix: string): AsyncGenerator<SmallBlob> {
    let after = '';
    for (;;) {
      const rows = await queryRows<SmallBlob>(
        this.dataSource,
        sql`SELECT key, octet_length(content) AS bytes, modified_at AS "modifiedAt" FROM small_blobs
             WHERE key > ${after} AND starts_with(key, ${prefix}) ORDER BY key LIMIT ${LISTED_ROWS}`,
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < LISTED_ROWS) return;
      after = last.key;
    }
  }

  private async putAll(blobs: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`INSERT INTO small_blobs (key, content)
          SELECT * FROM unnest(${[...blobs.keys()]}::text[], ${[...blobs.values()]}::bytea[])
          ON CONFLICT (key) DO UPDATE SET content = excluded.content, modified_at = now()`,
    );
  }
}
