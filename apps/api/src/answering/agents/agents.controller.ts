import {
  type Agent,
  type AgentProfile,
  agentProfileSchema,
  agentSchema,
  type CreateAgent,
  createAgentSchema,
  type PageQuery,
  pageQuerySchema,
  type UpdateAgent,
  updateAgentSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import {
  Controller,
  Delete,
  Get,
  Header,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, RequireScopeOrPublishableKey, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, LenientJsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { AgentsService } from './agents.service.js';

@Controller('agents')
export class AgentsController {
  constructor(@Inject(AgentsService) private readonly agents: AgentsService) {}

  @Operation('Create an agent', agentSchema, { errors: ['NOT_FOUND'] })
  @Post()
  @HttpCode(200)
  @RequireScope('write')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createAgentSchema) body: CreateAgent,
    @Headers('idempotency-key') key?: string,
  ): Promise<Agent> {
    return this.agents.create(tenant, body, key);
  }

  @Operation('List agents', listOf(agentSchema))
  @Get()
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Agent[]> {
    const agents = await this.agents.list(tenant, page);
    linkNextPage(request, reply, agents, page.limit);
    return agents;
  }

  @Operation('Read an agent', agentSchema, {
    description:
      'The id `all` stands for the agent that answers from all datastores that the caller may read. It is created if there is none.',
  })
  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Agent> {
    return this.agents.get(tenant, id);
  }

  /** Pages with the widget request it at every view. */
  @Operation('Read the public profile of an agent', agentProfileSchema, {
    description: 'Also with a publishable key of the agent.',
  })
  @Get(':id/profile')
  @Header('Cache-Control', 'private, max-age=300')
  @RequireScopeOrPublishableKey('read')
  profile(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<AgentProfile> {
    return this.agents.profile(tenant, id);
  }

  @Operation('Change an agent', agentSchema, {
    description: 'Every field is optional. Absent fields keep their value.',
  })
  @Patch(':id')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(updateAgentSchema) body: UpdateAgent,
  ): Promise<Agent> {
    return this.agents.update(tenant, id, body);
  }

  @Operation('Delete an agent', agentSchema)
  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Agent> {
    return this.agents.remove(tenant, id);
  }
}
