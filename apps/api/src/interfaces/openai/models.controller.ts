import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { AgentsService } from '../../answering/agents/agents.service.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { asModel, toModel } from './model.mapper.js';

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
