import { createServer, type Server } from 'node:http';
import { expect } from '@jest/globals';
import { ApiResponseError } from '../../client/api-response.js';
import type { SourceFile, Tenant } from '../../client/tenant.js';
import { waitUntilFinished } from './ingestion.js';

/**
 * Creates, replaces and deletes datasources, so that every step of ingestion and purging runs, while
 * processes of the deployment are killed. Remembers which requests were acknowledged, and checks their effect
 * at the end.
 */
export class MixedWorkload {
  private readonly texts = new Map<string, string>();
  /** Ids of datasources whose creation was acknowledged and whose deletion was not requested. */
  private readonly kept = new Set<string>();
  /** Ids of datasources whose deletion was acknowledged. */
  private readonly removed = new Set<string>();
  private round = 0;

  constructor(
    private readonly tenant: Tenant,
    private readonly datastoreId: string,
    private readonly files: readonly SourceFile[],
    private readonly pageUrl: string,
  ) {}

  /**
   * Uploads a file, creates a page and two texts, replaces a text and deletes one. Failed requests are
   * ignored, except for 4xx.
   */
  async runRound(): Promise<void> {
    this.round += 1;
    const { tenant, datastoreId, round } = this;
    const file = this.files[round % this.files.length];
    if (file) await this.try(async () => this.keep((await tenant.upload(datastoreId, file)).id));
    await this.try(async () => this.keep((await tenant.webPage(datastoreId, `${this.pageUrl}/${round}`)).id));
    await this.try(async () => {
      const documents = [0, 1].map((number) => ({
        name: `text-${round}-${number}`,
        text: textOf(round, number),
      }));
      const ids = await tenant.texts(datastoreId, documents);
      for (const [number, id] of ids.entries()) this.texts.set(this.keep(id), textOf(round, number));
    });
    const [toReplace, toDelete] = [...this.texts.keys()].filter((id) => this.kept.has(id));
    if (toReplace !== undefined) {
      await this.try(async () => {
        const text = `${textOf(round, 2)} Replaced.`;
        // If no response arrives, the text may be the old or the new one.
        this.texts.delete(toReplace);
        await tenant.replaceText(datastoreId, toReplace, text);
        this.texts.set(toReplace, text);
      });
    }
    if (toDelete !== undefined) {
      this.kept.delete(toDelete);
      await this.try(async () => {
        await tenant.remove(toDelete);
        this.removed.add(toDelete);
      });
    }
  }

  /**
   * Waits for all runs, then asserts the effect of every acknowledged request.
   *
   * @returns the number of datasources
   */
  async assertKept(): Promise<number> {
    const datasources = await waitUntilFinished(this.tenant, this.datastoreId);
    const finished = new Map(datasources.map((datasource) => [datasource.id, datasource]));
    for (const id of this.kept) {
      expect(finished.get(id)).toMatchObject({ id, status: 'synched' });
    }
    expect([...finished.keys()].filter((id) => this.removed.has(id))).toEqual([]);
    for (const [id, text] of this.texts) {
      if (this.kept.has(id)) expect(await this.tenant.textOf(id)).toBe(text);
    }
    return finished.size;
  }

  private keep(id: string): string {
    this.kept.add(id);
    return id;
  }

  private async try(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (error instanceof ApiResponseError && error.status < 500) throw error;
    }
  }
}

/** Starts a web server that answers every path with a small HTML page. */
export async function startPageServer(): Promise<{ url: string; close: () => Promise<void> }> {
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

function textOf(round: number, number: number): string {
  return `Number ${number} of round ${round}: the quick brown fox writes its will under the old oak tree.`;
}
