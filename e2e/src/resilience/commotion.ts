import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { ApiAnswerError, type ApiClient } from './api.client.js';
import type { SourceFile } from './corpus.js';
import { untilSettled } from './ingestion.js';

/**
 * A little of everything that goes through every step of ingestion and of purging, done while the deployment may die
 * under it, and the memory of what was acknowledged.
 */
export class Commotion {
  private readonly texts = new Map<string, string>();
  /** Acknowledged, and not asked to go. */
  private readonly kept = new Set<string>();
  private readonly removed = new Set<string>();
  private round = 0;

  constructor(
    private readonly client: ApiClient,
    private readonly datastoreId: string,
    private readonly files: readonly SourceFile[],
    private readonly pageUrl: string,
  ) {}

  /** One of each: a file, a page, new texts, a text replaced and one deleted. Calls without an answer are let go. */
  async stir(): Promise<void> {
    this.round += 1;
    const { client, datastoreId, round } = this;
    const file = this.files[round % this.files.length];
    if (file) await this.try(async () => this.keep((await client.upload(datastoreId, file)).id));
    await this.try(async () =>
      this.keep((await client.createWebPage(datastoreId, `${this.pageUrl}/${round}`)).id),
    );
    await this.try(async () => {
      const documents = [0, 1].map((place) => ({
        name: `text-${round}-${place}`,
        text: textOf(round, place),
      }));
      const ids = await client.createTexts(datastoreId, documents);
      for (const [place, id] of ids.entries()) this.texts.set(this.keep(id), textOf(round, place));
    });
    const [replaced, doomed] = [...this.texts.keys()].filter((id) => this.kept.has(id));
    if (replaced !== undefined) {
      await this.try(async () => {
        const text = `${textOf(round, 2)} Replaced.`;
        // Without an answer it may have happened or not.
        this.texts.delete(replaced);
        await client.replaceText(datastoreId, replaced, text);
        this.texts.set(replaced, text);
      });
    }
    if (doomed !== undefined) {
      this.kept.delete(doomed);
      await this.try(async () => {
        await client.remove(doomed);
        this.removed.add(doomed);
      });
    }
  }

  /** Waits for the end of all work, then asserts that what was acknowledged holds. @returns how many datasources */
  async assertKept(): Promise<number> {
    const settled = new Map((await untilSettled(this.client, this.datastoreId)).map((one) => [one.id, one]));
    for (const id of this.kept) {
      const { status, error } = settled.get(id) ?? {};
      assert.equal(status, 'synched', `${id}: ${JSON.stringify(error)}`);
    }
    for (const id of this.removed) assert.ok(!settled.has(id), `${id} was deleted and is there`);
    for (const [id, text] of this.texts) {
      if (this.kept.has(id)) assert.equal((await this.client.text(id)).text, text);
    }
    return settled.size;
  }

  private keep(id: string): string {
    this.kept.add(id);
    return id;
  }

  private async try(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof ApiAnswerError && error.status < 500) throw error;
    }
  }
}

/** Answers every path with a small page. */
export async function startPages(): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const text = `<html><head><title>${request.url}</title></head><body><main><p>${textOf(0, 0)}</p></main></body></html>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(round: number, place: number): string {
  return `Number ${place} of round ${round}: the quick brown fox writes its will under the old oak tree.`;
}
