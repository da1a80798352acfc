import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EmbeddedDeployment } from '../../deployments/embedded.deployment.js';
import { DISTURBED } from '../../deployments/disturbed.js';
import { untilRecovered } from '../../client/tenant.js';

const readinessSchema = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });
const ANSWER = 'Buoys are counted in May.';
/** Longer than a blob of the database: its blobs are files. */
const LONG_TEXT = Array.from(
  { length: 600 },
  (_, line) => `Line ${line} of the long log of the harbour.`,
).join('\n');

/** A standalone service with two documents, whose files a test damages. */
export class DamagedInstallation {
  private constructor(
    readonly deployment: EmbeddedDeployment,
    readonly datastoreId: string,
    readonly shortId: string,
    readonly longId: string,
  ) {}

  /** @param prepare is called before the first start */
  static async create(
    prepare: (deployment: EmbeddedDeployment) => Promise<void> = async () => undefined,
  ): Promise<DamagedInstallation> {
    const deployment = await EmbeddedDeployment.create(DISTURBED);
    await prepare(deployment);
    await deployment.start();
    const { tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore('harbour');
    const [shortId = '', longId = ''] = await tenant.texts(datastoreId, [
      { name: 'buoys', text: ANSWER },
      { name: 'log', text: LONG_TEXT },
    ]);
    const installation = new DamagedInstallation(deployment, datastoreId, shortId, longId);
    await installation.waitUntilSynched();
    return installation;
  }

  get vectorFile(): string {
    return join(this.deployment.dataDirectory, 'vectors', 'vectors.sqlite');
  }

  /** Path of a blob of the long document: the largest file of its kind is the text. */
  async blobFile(kind: 'text' | 'content'): Promise<string> {
    const root = join(this.deployment.dataDirectory, 'blobs', 'blobs');
    for (const entry of await readdir(root, { recursive: true }))
      if (entry.includes(this.longId) && entry.endsWith(`/${kind}`)) return join(root, entry);
    throw new Error(`There is no ${kind}`);
  }

  /** Where the short document is in the files of the stopped database. */
  async databasePage(): Promise<{ path: string; at: number }> {
    const root = join(this.deployment.dataDirectory, 'postgres', 'base');
    for (const entry of await readdir(root, { recursive: true })) {
      const path = join(root, entry);
      if (!(await stat(path)).isFile()) continue;
      const at = (await readFile(path)).indexOf(ANSWER);
      if (at >= 0) return { path, at };
    }
    throw new Error('The document is not in the database');
  }

  async sizeOf(path: string): Promise<number> {
    return (await stat(path)).size;
  }

  async waitUntilSynched(): Promise<void> {
    await untilRecovered(async () => {
      const datasources = await this.deployment.tenant.datasources(this.datastoreId);
      return datasources.every(({ status }) => status === 'synched');
    }, 'documents synched');
  }

  async checks(): Promise<Record<string, string>> {
    const response = await fetch(`${this.deployment.origin}/health/ready`);
    return readinessSchema.parse(await response.json()).checks;
  }

  /** Status of a request, with its error code and message. The status is 0 if the connection is closed in the body. */
  async get(path: string): Promise<{ status: number; body: string }> {
    const { api } = this.deployment.tenant;
    const failed = (error: unknown) => ({ status: 0, text: String(error) });
    const { status, text } = await api.get(path).catch(failed);
    return { status, body: text };
  }

  /** The status of a question, and the number of passages. */
  async ask(): Promise<{ status: number; passages: number; body: string }> {
    const query = 'When are buoys counted?';
    const { status, text } = await this.deployment.tenant.api.post(`/datastores/${this.datastoreId}/query`, {
      query,
    });
    const found: unknown = status === 200 ? JSON.parse(text) : [];
    return { status, passages: Array.isArray(found) ? found.length : 0, body: text };
  }

  /** Asks until the right passage is found. Every answer before is an error that says what happens. */
  async waitUntilAnswered(): Promise<{ refusals: string[] }> {
    const refusals: string[] = [];
    await untilRecovered(async () => {
      const { status, passages, body } = await this.ask();
      if (status === 200 && passages > 0 && body.includes(ANSWER)) return true;
      refusals.push(`${status} ${body}`);
      return false;
    }, 'a complete answer');
    return { refusals };
  }

  async doctor(...args: string[]): Promise<{ code: number; output: string }> {
    const { code, output } = await this.deployment.citewell('doctor', ...args);
    return { code: code ?? -1, output };
  }

  async stop(): Promise<void> {
    await this.deployment.terminate();
  }
}
