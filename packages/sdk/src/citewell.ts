import {
  ApiKeys,
  HealthReports,
  ModelSettings,
  Organizations,
  Sessions,
  UsageReports,
} from './administration/administration.resource.js';
import { Agents } from './agents/agents.resource.js';
import { Conversations } from './conversations/conversations.resource.js';
import { Datasources } from './datasources/datasources.resource.js';
import { Datastores } from './datastores/datastores.resource.js';
import { Evaluations } from './evaluations/evaluations.resource.js';
import { type CitewellOptions, Transport } from './http/transport.js';

/**
 * A client of one Citewell service, for browsers and Node. It keeps no connection open and needs no `close`.
 *
 * GETs and requests with an idempotency key are retried on 429, 502, 503, 504 and network failures. If the
 * response has `Retry-After`, the client waits that long; it does not retry if that is more than 60 seconds.
 */
export class Citewell {
  readonly agents: Agents;
  readonly datastores: Datastores;
  readonly datasources: Datasources;
  readonly conversations: Conversations;
  readonly evaluations: Evaluations;
  readonly apiKeys: ApiKeys;
  readonly session: Sessions;
  readonly usage: UsageReports;
  readonly models: ModelSettings;
  readonly health: HealthReports;
  readonly organizations: Organizations;

  /** @throws TypeError if the base URL or the API key is invalid */
  constructor(options: CitewellOptions) {
    const transport = new Transport(options);
    this.agents = new Agents(transport);
    this.datastores = new Datastores(transport);
    this.datasources = new Datasources(transport);
    this.conversations = new Conversations(transport);
    this.evaluations = new Evaluations(transport);
    this.apiKeys = new ApiKeys(transport);
    this.session = new Sessions(transport);
    this.usage = new UsageReports(transport);
    this.models = new ModelSettings(transport);
    this.health = new HealthReports(transport);
    this.organizations = new Organizations(transport);
  }
}
