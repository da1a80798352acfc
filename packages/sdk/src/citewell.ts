import { ApiKeys, Organizations, UsageReports } from './administration/administration.resource.js';
import { Agents } from './agents/agents.resource.js';
import { Conversations } from './conversations/conversations.resource.js';
import { Datasources } from './datasources/datasources.resource.js';
import { Datastores } from './datastores/datastores.resource.js';
import { type CitewellOptions, Transport } from './http/transport.js';

/**
 * A client of one Citewell service, for browsers and Node. It holds no connection and needs no closing.
 *
 * GETs and requests with an idempotency key are repeated on 429, 502, 503, 504 and failures of the network, after
 * `Retry-After` where the server says so (but not when that is more than a minute).
 */
export class Citewell {
  readonly agents: Agents;
  readonly datastores: Datastores;
  readonly datasources: Datasources;
  readonly conversations: Conversations;
  readonly apiKeys: ApiKeys;
  readonly usage: UsageReports;
  readonly organizations: Organizations;

  /** @throws TypeError when the address or the key cannot be used */
  constructor(options: CitewellOptions) {
    const transport = new Transport(options);
    this.agents = new Agents(transport);
    this.datastores = new Datastores(transport);
    this.datasources = new Datasources(transport);
    this.conversations = new Conversations(transport);
    this.apiKeys = new ApiKeys(transport);
    this.usage = new UsageReports(transport);
    this.organizations = new Organizations(transport);
  }
}
