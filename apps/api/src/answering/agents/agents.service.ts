import {
  type Agent,
  type AgentProfile,
  type CreateAgent,
  modelNameSchema,
  onUnsupportedSchema,
  type PageQuery,
  promptTypeSchema,
  type UpdateAgent,
  visibilitySchema,
} from '@citewell/contracts/schemas';
import {
  type AgentFields,
  AgentRepository,
  type AgentWithDatastores,
  DatastoreRepository,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound, onlyNamed } from '../../http/api-error.js';
import { hashOf, IdempotencyService } from '../../http/idempotency.service.js';

/** As an id: the agent that answers from all datastores. */
const ALL = 'all';

/** Creates, reads, changes and deletes agents. */
@Injectable()
export class AgentsService {
  constructor(
    @Inject(AgentRepository) private readonly agents: AgentRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  async create(tenant: TenantScope, body: CreateAgent, idempotencyKey?: string): Promise<Agent> {
    return this.idempotency.once(tenant, 'POST /agents', idempotencyKey, async () => ({
      hash: () => hashOf(body),
      execute: async () => {
        const { datastoreIds = [], name, ...fields } = body;
        await this.assertDatastoresExist(tenant, datastoreIds);
        return toAgent(await this.agents.create(tenant, { name, ...definedFields(fields) }, datastoreIds));
      },
    }));
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<Agent[]> {
    return (await this.agents.list(tenant, page)).map(toAgent);
  }

  /** @param id with `all`, the agent is created if there is none */
  async get(tenant: TenantScope, id: string): Promise<Agent> {
    if (id === ALL) return toAgent(await this.agents.ofAll(tenant));
    return toAgent(found(await this.agents.find(tenant, id), 'agent'));
  }

  /**
   * @param idOrName `all` is the id as in {@link get}, also if an agent has this name
   * @throws {@link ApiError} `NOT_FOUND`, or `CONFLICT` if several agents have this name
   */
  async getByIdOrName(tenant: TenantScope, idOrName: string): Promise<Agent> {
    if (idOrName === ALL) return this.get(tenant, ALL);
    const byId = await this.agents.find(tenant, idOrName);
    return toAgent(byId ?? onlyNamed(await this.agents.findByName(tenant, idOrName, 2), 'agent'));
  }

  /** What visitors of a web page may know about the agent. */
  async profile(tenant: TenantScope, id: string): Promise<AgentProfile> {
    const { agent } = found(await this.agents.find(tenant, id), 'agent');
    return { id: agent.id, name: agent.name, description: agent.description };
  }

  /** @throws {@link ApiError} `CONFLICT` for what the agent of all datastores cannot be */
  async update(tenant: TenantScope, id: string, { datastoreIds, ...fields }: UpdateAgent): Promise<Agent> {
    const { agent } = found(await this.agents.find(tenant, id), 'agent');
    if (agent.allDatastores) assertStaysOpenToAll(tenant, { datastoreIds, ...fields });
    if (datastoreIds) await this.assertDatastoresExist(tenant, datastoreIds);
    if (fields.visibility === 'public') await this.assertMayPublish(tenant, id);
    return toAgent(found(await this.agents.update(tenant, id, definedFields(fields), datastoreIds), 'agent'));
  }

  /** @throws {@link ApiError} `CONFLICT` for the agent of all datastores, which has the conversations of everybody */
  async remove(tenant: TenantScope, id: string): Promise<Agent> {
    const { agent } = found(await this.agents.find(tenant, id), 'agent');
    if (agent.allDatastores)
      throw new ApiError('CONFLICT', 'The agent that answers from all libraries cannot be deleted.');
    return toAgent(found(await this.agents.remove(tenant, id), 'agent'));
  }

  /** Visitors of a public agent get answers from all its datastores. */
  private async assertMayPublish(tenant: TenantScope, id: string): Promise<void> {
    if (await this.agents.hasUnreadable(tenant, id))
      throw new ApiError(
        'FORBIDDEN',
        'Only somebody who may read all libraries of this agent can make it public. Ask an owner.',
      );
  }

  private async assertDatastoresExist(tenant: TenantScope, ids: readonly string[]): Promise<void> {
    const uniqueIds = new Set(ids);
    const existing = await this.datastores.findMany(tenant, [...uniqueIds]);
    if (existing.length < uniqueIds.size) throw notFound('datastore');
  }
}

/** Everybody asks it, and visitors would read every library. */
function assertStaysOpenToAll(
  { reader }: TenantScope,
  { datastoreIds, visibility, retentionDays }: UpdateAgent,
): void {
  if (visibility === 'public' || datastoreIds)
    throw new ApiError(
      'CONFLICT',
      'The agent that answers from all libraries cannot be public, and its libraries cannot be chosen. Create another agent.',
    );
  if (retentionDays !== undefined && reader !== null && reader.role !== 'owner')
    throw new ApiError(
      'FORBIDDEN',
      'Only an owner decides how long the conversations of everybody are kept.',
    );
}

/** The given fields. Absent fields keep their value. */
function definedFields(fields: {
  [Field in keyof AgentFields]: AgentFields[Field] | undefined;
}): AgentFields {
  // `AgentFields` has no undefined values, and the filter removes them.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as AgentFields;
}

/** The wire format of an agent. */
function toAgent({ agent, datastoreIds }: AgentWithDatastores): Agent {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    modelName: modelNameSchema.parse(agent.modelName),
    temperature: agent.temperature,
    visibility: visibilitySchema.parse(agent.visibility),
    systemPrompt: agent.systemPrompt,
    userPrompt: agent.userPrompt,
    promptType: agent.promptType === '' ? '' : promptTypeSchema.parse(agent.promptType),
    promptTemplate: agent.promptTemplate,
    datastoreIds,
    allDatastores: agent.allDatastores,
    restrictToSources: agent.restrictToSources,
    topK: agent.topK,
    minScore: agent.minScore,
    onUnsupported: onUnsupportedSchema.parse(agent.onUnsupported),
    retentionDays: agent.retentionDays,
    timestamps: { createdAt: agent.createdAt.toISOString(), updatedAt: agent.updatedAt.toISOString() },
  };
}
