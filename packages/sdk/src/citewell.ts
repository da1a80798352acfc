import {
  ApiKeys,
  HealthReports,
  ModelSettings,
  Organizations,
  People,
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
  declare readonly agents: Agents;
  declare readonly datastores: Datastores;
  declare readonly datasources: Datasources;
  declare readonly conversations: Conversations;
  declare readonly evaluations: Evaluations;
  declare readonly apiKeys: ApiKeys;
  declare readonly people: People;
  declare readonly session: Sessions;
  declare readonly usage: UsageReports;
  declare readonly models: ModelSettings;
  declare readonly health: HealthReports;
  declare readonly organizations: Organizations;

  /** @throws TypeError if the base URL or the API key is invalid */
  constructor(options: CitewellOptions) {
    const transport = new Transport(options);
    this.agents = new Agents(transport);
    this.datastores = new Datastores(transport);
    this.datasources = new Datasources(transport);
    this.conversations = new Conversations(transport);
    this.evaluations = new Evaluations(transport);
    this.apiKeys = new ApiKeys(transport);
    this.people = new People(transport);
    this.session = new Sessions(transport);
    this.usage = new UsageReports(transport);
    this.models = new ModelSettings(transport);
    this.health = new HealthReports(transport);
    this.organizations = new Organizations(transport);
  }
}
