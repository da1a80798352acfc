import type {
  GetSharedConversation,
  Share,
  SharedConversation,
  UpdateConversation,
} from '@citewell/contracts/schemas';
import { SharedConversationRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound } from '../../http/api-error.js';
import { titleOf, toSharedMessage } from './conversation.mapper.js';
import { ConversationsService } from './conversations.service.js';

/** What people decide about their own conversations, and how others read what is shared. */
@Injectable()
export class SharedConversationsService {
  constructor(
    @Inject(SharedConversationRepository) private readonly shared: SharedConversationRepository,
    @Inject(ConversationsService) private readonly conversations: ConversationsService,
  ) {}

  async rename(tenant: TenantScope, id: string, agentId: string | undefined, { title }: UpdateConversation) {
    const row = await this.ownRow(tenant, id, agentId);
    if (!(await this.shared.rename(tenant, row, title))) throw notFound('conversation');
    return this.conversations.read(tenant, id, agentId);
  }

  /** @throws {@link ApiError} `NOT_FOUND` for a conversation that is not the person's own, and for all of API keys */
  async share(tenant: TenantScope, id: string, agentId: string | undefined): Promise<Share> {
    const row = await this.ownRow(tenant, id, agentId);
    const share = found(await this.shared.share(tenant, row), 'conversation');
    return { id: share.id, sharedAt: share.sharedAt.toISOString() };
  }

  async unshare(tenant: TenantScope, id: string, agentId: string | undefined) {
    await this.shared.unshare(tenant, await this.ownRow(tenant, id, agentId));
    return this.conversations.read(tenant, id, agentId);
  }

  async get(
    tenant: TenantScope,
    shareId: string,
    page: GetSharedConversation,
  ): Promise<{ shared: SharedConversation; rows: { id: string }[] }> {
    const conversation = await this.shared.find(tenant, shareId);
    // The same for an unknown link and for one whose documents the person may not read.
    if (conversation === null)
      throw new ApiError(
        'NOT_FOUND',
        'This link does not work: it was ended, or the conversation cites documents that you may not read or that were deleted.',
      );
    const { title, question, agentId, personName, sharedAt } = conversation;
    const rows = await this.shared.messages(tenant, conversation, page);
    const shared = {
      title: title ?? titleOf(question),
      agentId,
      sharedBy: personName,
      sharedAt: sharedAt.toISOString(),
      messages: rows.map(toSharedMessage),
    };
    return { shared, rows };
  }

  private async ownRow(tenant: TenantScope, id: string, agentId: string | undefined): Promise<string> {
    const { conversation, isOwn } = await this.conversations.find(tenant, id, { agentId });
    if (!isOwn) throw notFound('conversation');
    return conversation.id;
  }
}
