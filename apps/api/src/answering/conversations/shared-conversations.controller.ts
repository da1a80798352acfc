import {
  type AgentOfConversation,
  agentOfConversationSchema,
  type Conversation,
  conversationSchema,
  type GetSharedConversation,
  getSharedConversationSchema,
  type Share,
  type SharedConversation,
  sharedConversationSchema,
  shareSchema,
  type UpdateConversation,
  updateConversationSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { SharedConversationsService } from './shared-conversations.service.js';

/** Names own conversations, and shares them inside the organization. */
@Controller()
export class SharedConversationsController {
  constructor(@Inject(SharedConversationsService) private readonly shared: SharedConversationsService) {}

  @Operation('Name an own conversation', conversationSchema, { errors: ['CONFLICT'] })
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

  @Operation('Share an own conversation inside the organization', shareSchema, {
    description:
      'Only for people. Shares the messages so far. Sharing again adds the messages since then, and the link stays.',
    errors: ['CONFLICT'],
  })
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

  @Operation('End the link of a conversation', conversationSchema, {
    description: 'The link never works again. Sharing the conversation again makes another link.',
    errors: ['CONFLICT'],
  })
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
  @Operation('Read a shared conversation', sharedConversationSchema, {
    description:
      'Only for people of the organization who may read every document that the conversation cites. For all others, and with a link that was ended, it does not exist. A document that was deleted is read by owners only.',
  })
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
