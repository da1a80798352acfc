import { randomUUID } from 'node:crypto';
import {
  type Agent,
  type AgentAnswer,
  agentAnswerSchema,
  agentSchema,
  type CreateAgent,
  type Datasource,
  datasourceSchema,
  datasourceTextSchema,
  type Datastore,
  type DatastoreQueryItem,
  datastoreQueryItemSchema,
  datastoreSchema,
  type CreateEvaluation,
  evaluationSchema,
  type EvaluationWithResult,
  evaluationWithResultSchema,
  type Group,
  gapSchema,
  groupSchema,
  identityProviderSchema,
  organizationWithKeySchema,
  type RunItem,
  runSchema,
  webhookWithSecretSchema,
  type PersonWithToken,
  personWithTokenSchema,
  type Role,
} from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import { z } from 'zod';
import { ApiClient, type FormPart } from './api-client.js';

/** Long enough for a machine on which all tests run at a time. A test that passes does not wait for its end. */
const DEFAULT_TIMEOUT_MS = 120_000;
const MIN_PAUSE_MS = 25;
/** Pause before the next poll, as a share of the time waited so far. It bounds the relative overshoot. */
const PAUSE_SHARE = 0.1;
const MAX_PAUSE_MS = 250;
const PAGE_SIZE = 100;

/** A file to upload. */
export interface SourceFile {
  readonly name: string;
  readonly mimeType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** An organization with one API key, and one call for each thing that most tests set up first. */
export class Tenant {
  private emptyDatastoreId: string | undefined;

  constructor(
    readonly api: ApiClient,
    readonly organizationId: string,
  ) {}

  /** The organization of a key. Its id is not known. */
  static withKey(baseUrl: string, key: string): Tenant {
    return new Tenant(new ApiClient(baseUrl, key), '');
  }

  /** Creates an organization with the admin key. */
  static async create(
    deployment: { readonly baseUrl: string; readonly adminKey: string },
    name = 'Tenant',
  ): Promise<Tenant> {
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    const { id, key } = (await admin.post('/organizations', { name })).as(organizationWithKeySchema.strict());
    return new Tenant(admin.with(key), id);
  }

  async datastore(name = 'Store'): Promise<Datastore> {
    return (await this.api.post('/datastores', { name })).as(datastoreSchema.strict());
  }

  /** Creates an agent. Without given datastores, it has an empty one and may answer what it likes. */
  async agent(fields: Partial<CreateAgent> = {}): Promise<Agent> {
    const free = async () => ({ datastoreIds: [await this.emptyDatastore()], restrictToSources: false });
    const defaults = fields.datastoreIds === undefined ? await free() : {};
    return (await this.api.post('/agents', { name: 'Agent', ...defaults, ...fields })).as(
      agentSchema.strict(),
    );
  }

  private async emptyDatastore(): Promise<string> {
    this.emptyDatastoreId ??= (await this.datastore('Empty')).id;
    return this.emptyDatastoreId;
  }

  /** Creates a webhook that gets no messages. @returns its id */
  async webhook(): Promise<string> {
    const body = { url: 'https://93.184.216.34/', events: ['usage.limit_reached'] };
    return (await this.api.post('/webhooks', body)).as(webhookWithSecretSchema.strict()).id;
  }

  /** Asks what the documents do not answer, and waits until the question has a gap. @returns its id */
  async gap(datastoreId: string, question = 'Who painted the fresco?'): Promise<string> {
    const { id } = await this.agent({ datastoreIds: [datastoreId] });
    await this.ask(id, question);
    const gaps = async () => (await this.api.get(`/gaps?agentId=${id}`)).as(z.array(gapSchema.strict()));
    return until(async () => (await gaps())[0]?.id, 'a gap');
  }

  /** Creates a text datasource and waits until it is synched. */
  async text(datastoreId: string, text: string, fields: Record<string, unknown> = {}): Promise<Datasource> {
    const body = { type: 'text', datastoreId, text, ...fields };
    const created = (await this.api.post('/datasources', body)).as(datasourceSchema.strict());
    return this.waitUntilSynched(created.id);
  }

  /** Uploads a file and waits until it is synched. */
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
    return this.waitUntilSynched(created.id);
  }

  /** Creates texts with one request. @returns their ids, in the order of the documents */
  async texts(
    datastoreId: string,
    documents: readonly { readonly name: string; readonly text: string }[],
  ): Promise<string[]> {
    const response = await this.api.post(`/datastores/upsert/${datastoreId}`, { documents });
    return response.as(z.object({ ids: z.array(z.string()) })).ids;
  }

  async replaceText(datastoreId: string, id: string, text: string): Promise<void> {
    (await this.api.post(`/datastores/update/${datastoreId}`, { id, text })).assertOk();
  }

  async upload(datastoreId: string, { name, mimeType, content }: SourceFile): Promise<Datasource> {
    const file: FormPart = ['file', new Blob([content], { type: mimeType }), name];
    return (await this.api.upload([['datastoreId', datastoreId], file])).as(datasourceSchema.strict());
  }

  async webPage(datastoreId: string, url: string): Promise<Datasource> {
    const body = { type: 'web_page', datastoreId, config: { source_url: url } };
    return (await this.api.post('/datasources', body)).as(datasourceSchema.strict());
  }

  async webSite(datastoreId: string, config: Record<string, unknown>): Promise<Datasource> {
    const body = { type: 'web_site', datastoreId, config };
    return (await this.api.post('/datasources', body)).as(datasourceSchema.strict());
  }

  async remove(id: string): Promise<void> {
    (await this.api.delete(`/datasources/${id}`)).assertOk();
  }

  async sync(id: string): Promise<void> {
    (await this.api.post(`/datasources/${id}/sync`)).assertOk();
  }

  /** All datasources of a datastore, or the pages of one of its web sites or the files of an archive, newest first. */
  async datasources(datastoreId: string, groupId?: string): Promise<Datasource[]> {
    const group = groupId === undefined ? '' : `&groupId=${groupId}`;
    const found: Datasource[] = [];
    for (let cursor = ''; ; cursor = `&cursor=${found.at(-1)?.id}`) {
      const query = `datastoreId=${datastoreId}${group}&limit=${PAGE_SIZE}${cursor}`;
      const page = (await this.api.get(`/datasources?${query}`)).as(z.array(datasourceSchema));
      found.push(...page);
      if (page.length < PAGE_SIZE) return found;
    }
  }

  async runs(id: string): Promise<RunItem[]> {
    return (await this.api.get(`/datasources/${id}/runs`)).as(z.array(runSchema));
  }

  /** The canonical text of a datasource. */
  async textOf(id: string): Promise<string> {
    return (await this.api.get(`/datasources/${id}/text`)).as(datasourceTextSchema).text;
  }

  async datasource(id: string): Promise<Datasource> {
    return (await this.api.get(`/datasources/${id}`)).as(datasourceSchema.strict());
  }

  /** Waits until the datasource has no unfinished run, whatever the outcome. */
  async waitUntilFinished(id: string, timeoutMs?: number): Promise<Datasource> {
    return until(
      async () => {
        const datasource = await this.datasource(id);
        return datasource.progress === null ? datasource : null;
      },
      `datasource ${id} to finish`,
      timeoutMs,
    );
  }

  /** Waits until the datasource has no unfinished run and asserts that it is synched. */
  async waitUntilSynched(id: string, timeoutMs?: number): Promise<Datasource> {
    const datasource = await this.waitUntilFinished(id, timeoutMs);
    expect(datasource).toMatchObject({ status: 'synched' });
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

  /** Invites a person with an e-mail of its own. */
  async invite(role: Role): Promise<PersonWithToken> {
    const email = `${randomUUID()}@example.com`;
    return (await this.api.post('/people', { email, role })).as(personWithTokenSchema.strict());
  }

  /** Adds an identity provider at which nobody can sign in. @returns its id */
  async identityProvider(): Promise<string> {
    const body = { name: 'Provider', issuer: 'https://93.184.216.34/' };
    return (await this.api.post('/identity-providers', body)).as(identityProviderSchema.strict()).id;
  }

  async group(name = randomUUID() as string): Promise<Group> {
    return (await this.api.post('/groups', { name })).as(groupSchema.strict());
  }

  /** Evaluates a configuration, and waits until it is done or has failed. Default: with one question without an answer. */
  async evaluate(
    configuration: CreateEvaluation['configuration'],
    fields: Partial<CreateEvaluation> = {},
  ): Promise<EvaluationWithResult> {
    const questions = fields.csv === undefined ? [{ question: 'Who?', answerable: false }] : undefined;
    const created = (await this.api.post('/evaluations', { configuration, questions, ...fields })).as(
      evaluationSchema.strict(),
    );
    return this.evaluationEnd(created.id);
  }

  /** Waits until an evaluation is done or has failed. */
  async evaluationEnd(id: string): Promise<EvaluationWithResult> {
    return until(async () => {
      const evaluation = (await this.api.get(`/evaluations/${id}`)).as(evaluationWithResultSchema.strict());
      return ['done', 'failed'].includes(evaluation.state) ? evaluation : null;
    }, `evaluation ${id} to finish`);
  }

  async ask(agentId: string, query: string, fields: Record<string, unknown> = {}): Promise<AgentAnswer> {
    return (await this.api.post(`/agents/${agentId}/query`, { query, ...fields })).as(
      agentAnswerSchema.strict(),
    );
  }
}

/**
 * Polls until `poll` resolves to a truthy value. The pauses grow, because polling takes CPU time from the
 * product.
 *
 * @param description what is waited for, for the error message
 * @throws Error after `timeoutMs`
 */
export async function until<Value>(
  poll: () => Promise<Value | null | undefined | false>,
  description: string,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<Value> {
  const started = Date.now();
  for (;;) {
    const value = await poll();
    if (value) return value;
    const waitedMs = Date.now() - started;
    if (waitedMs >= timeoutMs) throw new Error(`Waited ${timeoutMs} ms for ${description}`);
    const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** As {@link until}. An error of `poll` means `not yet`, because processes may be down. The last one is the cause of the error. */
export async function untilRecovered<Value>(
  poll: () => Promise<Value | null | undefined | false>,
  description: string,
  timeoutMs?: number,
): Promise<Value> {
  let cause: unknown;
  const tryPoll = (): Promise<Value | null | undefined | false> =>
    poll().catch((error: unknown) => {
      cause = error;
      return null;
    });
  return until(tryPoll, description, timeoutMs).catch((error: unknown) => {
    throw new Error(String(error), { cause });
  });
}
