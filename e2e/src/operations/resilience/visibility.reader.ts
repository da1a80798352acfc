import { expect } from '@jest/globals';
import type { Tenant } from '../../client/tenant.js';

/** Occurs in every paragraph of every text of the visibility tests. */
export const MARKER = 'kestrelword';

const PARAGRAPHS = 24;
const REVISION = /revision(\d{5})/g;

/**
 * Text of a revision. Each paragraph names the revision, and all revisions have the same number of chunks.
 */
export function textOfRevision(name: string, revision: number): string {
  const label = `revision${String(revision).padStart(5, '0')}`;
  const words = Array.from({ length: 90 }, (_, index) => `word${index % 30}`).join(' ');
  return Array.from(
    { length: PARAGRAPHS },
    (_, index) => `${name} paragraph ${String(index).padStart(2, '0')} ${MARKER} ${label} ${words}.`,
  ).join('\n\n');
}

/** The revisions that a text names. */
export function revisionsIn(text: string): Set<number> {
  return new Set([...text.matchAll(REVISION)].map((match) => Number(match[1])));
}

/**
 * Queries in a tight loop. Asserts for each response that every permanent datasource is found completely and
 * in one revision, that revisions never decrease, and that no datasource is found whose DELETE was answered
 * before the query.
 */
export class VisibilityReader {
  reads = 0;
  /** Responses with a newer revision of a datasource than the responses before. */
  switches = 0;
  private readonly deleted = new Set<string>();
  private readonly latest = new Map<string, number>();

  /**
   * @param permanent ids of datasources that are replaced but never deleted
   * @param chunks number of chunks of each of them, in every revision
   */
  constructor(
    private readonly tenant: Tenant,
    private readonly datastoreId: string,
    private readonly permanent: readonly string[],
    private readonly chunks: number,
  ) {}

  /** Must be called when the DELETE has been answered. Later queries must not find the datasource. */
  markDeleted(id: string): void {
    this.deleted.add(id);
  }

  async read(signal: AbortSignal): Promise<void> {
    for (let round = 0; !signal.aborted; round += 1) {
      const id = this.permanent[round % this.permanent.length] ?? '';
      await this.queryAll();
      await this.queryDatasource(id);
      await this.readText(id);
      this.reads += 3;
    }
  }

  private async queryDatasource(id: string): Promise<void> {
    const atLeast = this.latest.get(id) ?? 0;
    const hits = await this.tenant.search(this.datastoreId, MARKER, {
      topK: 100,
      filters: { datasource_ids: [id] },
    });
    const revisions = new Set(hits.flatMap((hit) => [...revisionsIn(hit.text)]));
    // All hits of a response have one revision.
    expect([...revisions]).toEqual([expect.any(Number)]);
    expect(hits).toHaveLength(this.chunks);
    this.recordRevision(id, [...revisions][0] ?? 0, atLeast);
  }

  private async queryAll(): Promise<void> {
    const deletedBefore = [...this.deleted];
    const hits = await this.tenant.search(this.datastoreId, MARKER, { topK: 100 });
    const found = new Set(hits.map((hit) => hit.datasource_id));
    expect(deletedBefore.filter((id) => found.has(id))).toEqual([]);
    for (const id of this.permanent) {
      const own = hits.filter((hit) => hit.datasource_id === id);
      const revisions = new Set(own.flatMap((hit) => [...revisionsIn(hit.text)]));
      expect([...revisions].slice(1)).toEqual([]);
    }
    expect(hits.length).toBeGreaterThan(0);
  }

  private async readText(id: string): Promise<void> {
    const atLeast = this.latest.get(id) ?? 0;
    const text = await this.tenant.textOf(id);
    const revisions = revisionsIn(text);
    expect(revisions.size).toBe(1);
    this.recordRevision(id, [...revisions][0] ?? 0, atLeast);
  }

  private recordRevision(id: string, revision: number, atLeast: number): void {
    expect(revision).toBeGreaterThanOrEqual(atLeast);
    if (revision > (this.latest.get(id) ?? 0)) this.switches += 1;
    this.latest.set(id, Math.max(revision, this.latest.get(id) ?? 0));
  }
}
