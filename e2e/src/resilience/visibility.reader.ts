import assert from 'node:assert/strict';
import type { ApiClient } from './api.client.js';

/** Stands in every paragraph of every text of the visibility tests. */
export const MARKER = 'kestrelword';

const PARAGRAPHS = 24;
const REVISION = /revision(\d{5})/g;

/** The text of a revision: each paragraph names it, and all revisions have the same number of chunks. */
export function textOfRevision(name: string, revision: number): string {
  const label = `revision${String(revision).padStart(5, '0')}`;
  const words = Array.from({ length: 90 }, (_, index) => `word${index % 30}`).join(' ');
  return Array.from(
    { length: PARAGRAPHS },
    (_, index) => `${name} paragraph ${String(index).padStart(2, '0')} ${MARKER} ${label} ${words}.`,
  ).join('\n\n');
}

/** The revisions that a piece of text names. */
export function revisionsIn(text: string): Set<number> {
  return new Set([...text.matchAll(REVISION)].map((match) => Number(match[1])));
}

/**
 * Asks in a tight loop, and asserts at each answer that every living datasource is there in full and in one revision,
 * that revisions never go back, and that nothing is there whose DELETE was answered before the question was asked.
 */
export class VisibilityReader {
  reads = 0;
  /** Answers in which a datasource showed a newer revision than before. */
  switches = 0;
  private readonly deleted = new Set<string>();
  private readonly latest = new Map<string, number>();

  /**
   * @param living ids of datasources that are replaced and never deleted
   * @param chunks that each of them has, in every revision
   */
  constructor(
    private readonly client: ApiClient,
    private readonly datastoreId: string,
    private readonly living: readonly string[],
    private readonly chunks: number,
  ) {}

  /** From now on no answer may have it. */
  wasDeleted(id: string): void {
    this.deleted.add(id);
  }

  async read(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const id = this.living[turn % this.living.length] ?? '';
      await this.readEverything();
      await this.readOne(id);
      await this.readText(id);
      this.reads += 3;
    }
  }

  private async readOne(id: string): Promise<void> {
    const atLeast = this.latest.get(id) ?? 0;
    const hits = await this.client.query(this.datastoreId, MARKER, { datasourceIds: [id] });
    const revisions = new Set(hits.flatMap((hit) => [...revisionsIn(hit.text)]));
    assert.equal(revisions.size, 1, `revisions ${[...revisions].join()} in one answer of ${hits.length}`);
    assert.equal(hits.length, this.chunks, 'some of its chunks are missing');
    this.saw(id, [...revisions][0] ?? 0, atLeast);
  }

  private async readEverything(): Promise<void> {
    const deletedBefore = [...this.deleted];
    const hits = await this.client.query(this.datastoreId, MARKER);
    const found = new Set(hits.map((hit) => hit.datasource_id));
    assert.deepEqual(
      deletedBefore.filter((id) => found.has(id)),
      [],
      'deleted, and found',
    );
    for (const id of this.living) {
      const own = hits.filter((hit) => hit.datasource_id === id);
      const revisions = new Set(own.flatMap((hit) => [...revisionsIn(hit.text)]));
      assert.ok(revisions.size <= 1, `revisions ${[...revisions].join()} in one answer`);
    }
    assert.ok(hits.length > 0, 'nothing was found');
  }

  private async readText(id: string): Promise<void> {
    const atLeast = this.latest.get(id) ?? 0;
    const { text } = await this.client.text(id);
    const revisions = revisionsIn(text);
    assert.equal(revisions.size, 1, 'the text has several revisions');
    this.saw(id, [...revisions][0] ?? 0, atLeast);
  }

  private saw(id: string, revision: number, atLeast: number): void {
    assert.ok(revision >= atLeast, `revision ${revision} after ${atLeast}`);
    if (revision > (this.latest.get(id) ?? 0)) this.switches += 1;
    this.latest.set(id, Math.max(revision, this.latest.get(id) ?? 0));
  }
}
