import assert from 'node:assert/strict';
import {
  type Agent,
  type AgentAnswer,
  agentAnswerSchema,
  agentSchema,
  type CreateAgent,
  type Datasource,
  datasourceSchema,
  type Datastore,
  type DatastoreQueryItem,
  datastoreQueryItemSchema,
  datastoreSchema,
  organizationWithKeySchema,
} from '@citewell/contracts/http';
import { z } from 'zod';
import type { Deployment } from '../deployments/deployment.js';
import { ApiClient, type FormPart } from './api-client.js';

const SETTLE_TIMEOUT_MS = 30_000;
const SHORTEST_PAUSE_MS = 25;
/** Of the time that was waited already: what is waited in vain at the end. */
const PAUSE_SHARE = 0.1;
const LONGEST_PAUSE_MS = 250;

/** One organization at work: what most tests do first, in one call each. */
export class Tenant {
  constructor(
    readonly api: ApiClient,
    readonly organizationId: string,
  ) {}

  /** A new organization, made with the admin key. */
  static async create(deployment: Deployment, name = 'Tenant'): Promise<Tenant> {
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    const { id, key } = (await admin.post('/organizations', { name })).as(organizationWithKeySchema.strict());
    return new Tenant(admin.with(key), id);
  }

  async datastore(name = 'Store'): Promise<Datastore> {
    return (await this.api.post('/datastores', { name })).as(datastoreSchema.strict());
  }

  async agent(fields: Partial<CreateAgent> = {}): Promise<Agent> {
    return (await this.api.post('/agents', { name: 'Agent', ...fields })).as(agentSchema.strict());
  }

  /** A text that has been brought in. */
  async text(datastoreId: string, text: string, fields: Record<string, unknown> = {}): Promise<Datasource> {
    const body = { type: 'text', datastoreId, text, ...fields };
    const created = (await this.api.post('/datasources', body)).as(datasourceSchema.strict());
    return this.synched(created.id);
  }

  /** A file that has been brought in. */
  async file(
    datastoreId: string,
    content: string | Uint8Array<ArrayBuffer>,
    name: string,
    parts: readonly FormPart[] = [],
  ): Promise<Datasource> {
    const file: FormPart = ['file', new Blob([content]), name];
    const created = (await this.api.upload([['datastoreId', datastoreId], file, ...parts])).as(
      datasourceSchema.strict(),
    );
    return this.synched(created.id);
  }

  async datasource(id: string): Promise<Datasource> {
    return (await this.api.get(`/datasources/${id}`)).as(datasourceSchema.strict());
  }

  /** Waits until nothing is under way, whatever came of it. */
  async settled(id: string, timeoutMs?: number): Promise<Datasource> {
    return until(
      async () => {
        const datasource = await this.datasource(id);
        return datasource.progress === null ? datasource : null;
      },
      `datasource ${id} to settle`,
      timeoutMs,
    );
  }

  async synched(id: string, timeoutMs?: number): Promise<Datasource> {
    const datasource = await this.settled(id, timeoutMs);
    assert.equal(datasource.status, 'synched', JSON.stringify(datasource.error));
    return datasource;
  }

  async search(
    datastoreId: string,
    query: string,
    fields: Record<string, unknown> = {},
  ): Promise<DatastoreQueryItem[]> {
    return (await this.api.post(`/datastores/${datastoreId}/query`, { query, ...fields })).as(
      z.array(datastoreQueryItemSchema.strict()),
    );
  }

  async ask(agentId: string, query: string, fields: Record<string, unknown> = {}): Promise<AgentAnswer> {
    return (await this.api.post(`/agents/${agentId}/query`, { query, ...fields })).as(
      agentAnswerSchema.strict(),
    );
  }
}

/**
 * Looks again and again until there is something; ever less often, for looking takes time from what is waited for.
 *
 * @throws after the time
 */
export async function until<Value>(
  look: () => Promise<Value | null | undefined | false>,
  what: string,
  timeoutMs = SETTLE_TIMEOUT_MS,
): Promise<Value> {
  const started = Date.now();
  for (;;) {
    const value = await look();
    if (value) return value;
    const waitedMs = Date.now() - started;
    assert.ok(waitedMs < timeoutMs, `waited ${timeoutMs} ms for ${what}`);
    const pauseMs = Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs * PAUSE_SHARE), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
