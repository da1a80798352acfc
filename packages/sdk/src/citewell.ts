import { ApiKeys, People, Sessions } from './identity/identity.resource.js';
import { ModelSettings } from './models/models.resource.js';
import { HealthReports } from './operations/health.resource.js';
import { Organizations, UsageReports } from './tenancy/tenancy.resource.js';
import { Agents } from './answering/agents.resource.js';
import { Conversations } from './answering/conversations.resource.js';
import { Datasources } from './content/datasources.resource.js';
import { Datastores } from './content/datastores.resource.js';
import { Evaluations } from './evaluation/evaluations.resource.js';
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

/**
 * The agents of a service alone. A bundle with it has none of the other methods of {@link Citewell}.
 *
 * @throws TypeError if the base URL or the API key is invalid
 */
export function agentsOf(options: CitewellOptions): Agents {
  return new Agents(new Transport(options));
}
