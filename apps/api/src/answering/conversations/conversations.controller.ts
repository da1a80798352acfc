import {
  type Conversation,
  type ConversationWithMessages,
  type ErasedVisitor,
  type ExportConversations,
  exportConversationsSchema,
  type Feedback,
  type FeedbackItem,
  feedbackSchema,
  type GetConversation,
  getConversationSchema,
  type ListConversations,
  listConversationsSchema,
  type ListFeedback,
  listFeedbackSchema,
  type Message,
} from '@citewell/contracts/schemas';
import { FeedbackRepository, type TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticated, type Caller, RequireKey, RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { linkNextPage } from '../../http/page-link.js';
import { ConversationExportService } from './conversation-export.service.js';
import { ConversationsService } from './conversations.service.js';

@Controller()
export class ConversationsController {
  constructor(
    @Inject(ConversationsService) private readonly conversations: ConversationsService,
    @Inject(ConversationExportService) private readonly exporter: ConversationExportService,
  ) {}

  @Get('conversations')
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listConversationsSchema) query: ListConversations,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Conversation[]> {
    const { items, rows } = await this.conversations.list(tenant, query);
    linkNextPage(request, reply, rows, query.limit);
    return items;
  }

  /** Not below `conversations/`, because clients choose the ids of conversations. */
  @Get('exports/conversations')
  @RequireScope('read')
  async export(
    @Tenant() tenant: TenantScope,
    @QueryString(exportConversationsSchema) filter: ExportConversations,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await reply
      .header('Content-Type', 'text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="conversations.csv"')
      .header('X-Content-Type-Options', 'nosniff')
      .send(this.exporter.export(tenant, filter));
  }

  /** A conversation with one page of its messages, newest first. */
  @Get('conversations/:id')
  @RequireScope('read')
  async get(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(getConversationSchema) query: GetConversation,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConversationWithMessages> {
    const conversation = await this.conversations.get(tenant, id, query);
    linkNextPage(request, reply, conversation.messages, query.limit);
    return conversation;
  }

  @Delete('conversations/:id')
  @RequireKey()
  remove(
    @Authenticated() caller: Caller,
    @Param('id') id: string,
    @QueryString(getConversationSchema) { agentId }: GetConversation,
  ): Promise<Conversation> {
    return this.conversations.remove(caller, id, agentId);
  }

  @Post('conversations/:id/messages/:messageId/feedback')
  @HttpCode(200)
  @RequireScope('agents:query')
  rate(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Param('messageId') messageId: string,
    @JsonBody(feedbackSchema) feedback: Feedback,
    @QueryString(getConversationSchema) { agentId }: GetConversation,
  ): Promise<Message> {
    return this.conversations.rate(tenant, id, messageId, feedback, agentId);
  }

  /** Deletes all conversations of a visitor. */
  @Delete('visitors/:id')
  @RequireScope('write')
  removeVisitor(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<ErasedVisitor> {
    return this.conversations.removeVisitor(tenant, id);
  }
}

/** Questions that were not answered, and ratings, of all conversations. */
@Controller('feedback')
export class FeedbackController {
  constructor(@Inject(FeedbackRepository) private readonly feedback: FeedbackRepository) {}

  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listFeedbackSchema) { limit, cursor, ...filter }: ListFeedback,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedbackItem[]> {
    const rows = await this.feedback.list(tenant, { limit, cursor }, filter);
    linkNextPage(request, reply, rows, limit);
    return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
  }
}
