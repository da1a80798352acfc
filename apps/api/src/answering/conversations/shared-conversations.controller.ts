import {
  type AgentOfConversation,
  agentOfConversationSchema,
  type Conversation,
  type GetSharedConversation,
  getSharedConversationSchema,
  type Share,
  type SharedConversation,
  type UpdateConversation,
  updateConversationSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { SharedConversationsService } from './shared-conversations.service.js';

/** Names own conversations, and shares them inside the organization. */
@Controller()
export class SharedConversationsController {
  constructor(@Inject(SharedConversationsService) private readonly shared: SharedConversationsService) {}

  @Patch('conversations/:id')
  @RequireScope('agents:query')
  rename(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateConversationSchema) body: UpdateConversation,
    @QueryString(agentOfConversationSchema) { agentId }: AgentOfConversation,
  ): Promise<Conversation> {
    return this.shared.rename(tenant, id, agentId, body);
  }

  @Post('conversations/:id/share')
  @HttpCode(200)
  @RequireScope('agents:query')
  share(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(agentOfConversationSchema) { agentId }: AgentOfConversation,
  ): Promise<Share> {
    return this.shared.share(tenant, id, agentId);
  }

  @Delete('conversations/:id/share')
  @RequireScope('agents:query')
  unshare(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(agentOfConversationSchema) { agentId }: AgentOfConversation,
  ): Promise<Conversation> {
    return this.shared.unshare(tenant, id, agentId);
  }

  /** Not below `conversations/`, because clients choose the ids of conversations. */
  @Get('shared-conversations/:id')
  @RequireScope('read')
  async get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(getSharedConversationSchema) page: GetSharedConversation,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SharedConversation> {
    const { shared, rows } = await this.shared.get(tenant, id, page);
    linkNextPage(request, reply, rows, page.limit);
    return shared;
  }
}
