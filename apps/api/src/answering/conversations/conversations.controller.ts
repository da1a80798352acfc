import {
  type Conversation,
  conversationSchema,
  type ConversationWithMessages,
  conversationWithMessagesSchema,
  type ErasedVisitor,
  erasedVisitorSchema,
  type ExportConversations,
  exportConversationsSchema,
  type Feedback,
  type FeedbackItem,
  feedbackItemSchema,
  feedbackSchema,
  type GetConversation,
  getConversationSchema,
  type ListConversations,
  listConversationsSchema,
  type ListFeedback,
  listFeedbackSchema,
  type Message,
  messageSchema,
} from '@citewell/contracts/schemas';
import { FeedbackRepository, type TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticated, type Caller, RequireKey, RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
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

  @Operation('List conversations', listOf(conversationSchema), {
    description:
      'Those that the caller reads: people their own, and owners and editors also those that were begun with API keys. A key with the scope `admin` reads those of all keys, another key those that it began. Owners and keys with `admin` read the conversations of people that began since `ownersReadConversations` of the organization is on. For everybody else, a conversation does not exist.',
  })
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
  @Operation('Export conversations as CSV', 'text/csv', {
    description:
      'One row per answer of the conversations that match, with its question, rating, comment and cited sources. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  })
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

  @Operation('Read a conversation', conversationWithMessagesSchema, {
    description:
      'Includes one page of its messages, newest first. 409 when several agents have a conversation with this id: add `agentId`.',
    errors: ['CONFLICT'],
  })
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

  @Operation('Delete a conversation', conversationSchema, {
    description:
      'People delete their own conversations. Those that were begun with API keys need the scope `write`.',
    errors: ['CONFLICT'],
  })
  @Delete('conversations/:id')
  @RequireKey()
  remove(
    @Authenticated() caller: Caller,
    @Param('id') id: string,
    @QueryString(getConversationSchema) { agentId }: GetConversation,
  ): Promise<Conversation> {
    return this.conversations.remove(caller, id, agentId);
  }

  @Operation('Rate an answer', messageSchema, { errors: ['CONFLICT'] })
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

  @Operation('Delete a visitor and all conversations of the visitor', erasedVisitorSchema, {
    description:
      'Deletes the conversations that API keys began, and the own ones of the caller, not those of other people. An editor leaves those that show something of a datastore that the editor may not read. Visitors have no other data. An answer that is in progress is stored afterwards: delete the visitor again.',
  })
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

  @Operation('List questions without an answer, and rated answers', listOf(feedbackItemSchema), {
    description:
      'Of all conversations, also those of people: the question, the rating and its comment, and nothing else of the conversation. Newest first.',
  })
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
