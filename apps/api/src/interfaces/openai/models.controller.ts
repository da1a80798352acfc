import type { Agent } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { AgentsService } from '../../answering/agents/agents.service.js';
import { ApiError } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';

/** The list has no pages. */
const MAX_MODELS = 1_000;

/** Agents as models, in the format of OpenAI. */
@Controller('v1/models')
export class ModelsController {
  constructor(@Inject(AgentsService) private readonly agents: AgentsService) {}

  @Get()
  @RequireScope('read')
  async list(@Tenant() tenant: TenantScope): Promise<object> {
    const agents = await this.agents.list(tenant, { limit: MAX_MODELS });
    return { object: 'list', data: agents.map(toModel) };
  }

  @Get(':id')
  @RequireScope('read')
  async get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<object> {
    return toModel(await asModel(this.agents.getByIdOrName(tenant, id)));
  }
}

interface Model {
  id: string;
  object: 'model';
  created: number;
  owned_by: 'citewell';
  /** Not in the format of OpenAI. Chat programs show it in place of the id. */
  name: string;
}

/** An agent as a model. */
function toModel({ id, name, timestamps }: Agent): Model {
  return {
    id,
    object: 'model',
    created: unixTime(new Date(timestamps.createdAt)),
    owned_by: 'citewell',
    name,
  };
}

/** Unix time in seconds. */
export function unixTime(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

/** The agent that a client calls a model. @throws {@link ApiError} about the field `model` */
export async function asModel(finding: Promise<Agent>): Promise<Agent> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof ApiError) || error.details) throw error;
    const sentence = `${error.message} A model is an agent, by its id or its name: GET /v1/models lists them.`;
    throw new ApiError(error.code, sentence, { details: [{ path: 'model', message: error.message }] });
  }
}
