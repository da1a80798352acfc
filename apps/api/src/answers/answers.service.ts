import type { Config } from '@citewell/config';
import { type AgentAnswer, type AgentQuery, modelNameSchema, type Source } from '@citewell/contracts/http';
import {
  type AgentEntity,
  AgentRepository,
  ConversationRepository,
  type DatastoreEntity,
  DatastoreRepository,
  newId,
  type TenantScope,
  UsageRepository,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { type ChatModel, estimateTokens } from '@citewell/models';
import { abstention, assembleContext, noModelNotice, renderPrompt, type Turn } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../http/api-error.js';
import { chunkIdOf, toSource } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { AnswerFramer } from './answer-frames.js';
import { ClientGoneError } from './answer-stream.js';
import { type OnText, toMessages, writeQuotes, type WrittenAnswer, writeWithModel } from './answer-writer.js';
import { ChatModels } from './chat-models.js';
import { Grounding } from './grounding.service.js';
import { type Prompts, resolvePrompts, resolveSampling } from './prompts.js';

/** Messages of the conversation that the model is shown. */
const HISTORY_MESSAGES = 10;
const MAX_WAITING_SECONDS = 5;

/** A query whose agent, conversation and quota are settled: from here on the answer may stream. */
export interface PreparedAnswer {
  tenant: TenantScope;
  agent: AgentEntity;
  datastores: DatastoreEntity[];
  query: AgentQuery;
  model: ChatModel | null;
  prompts: Prompts;
  conversationId: string;
  visitorId: string;
  /** Oldest first. */
  history: Turn[];
}

/** Answers agents' queries. */
@Injectable()
export class AnswersService {
  private readonly underWay = new Map<string, number>();

  constructor(
    @Inject(AgentRepository) private readonly agents: AgentRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(UsageRepository) private readonly usage: UsageRepository,
    @Inject(Grounding) private readonly grounding: Grounding,
    @Inject(ChatModels) private readonly models: ChatModels,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Everything that can refuse a query does so here, while the answer can still be an ordinary error. */
  async prepare(tenant: TenantScope, agentId: string, query: AgentQuery): Promise<PreparedAnswer> {
    const { agent, datastoreIds } = found(await this.agents.find(tenant, agentId), 'agent');
    const conversationId = query.conversationId ?? newId();
    const conversation = query.conversationId
      ? await this.conversations.find(tenant, agent.id, conversationId)
      : null;
    const messages = conversation
      ? await this.conversations.messages(tenant, conversation.id, { limit: HISTORY_MESSAGES })
      : [];
    const prepared = {
      tenant,
      agent,
      datastores: await this.datastores.findMany(tenant, datastoreIds),
      query,
      model: this.models.get(query.modelName ?? modelNameSchema.parse(agent.modelName)),
      prompts: resolvePrompts(query, agent),
      conversationId,
      visitorId: query.visitorId ?? conversation?.visitorId ?? newId(),
      history: messages.toReversed().map(({ author, text }) => ({ from: author, text })),
    };
    this.enter(tenant);
    try {
      if (await this.usage.reserveAgentQuery(tenant)) return prepared;
      throw new ApiError('USAGE_LIMIT', "The organization's agent queries of this month are used up.");
    } catch (error) {
      this.leave(tenant);
      throw error;
    }
  }

  /**
   * Retrieves, writes, remembers. Call it once for each prepared answer.
   *
   * @param onFrames takes the frames of the answer's text as it is written
   */
  async answer(prepared: PreparedAnswer, onFrames: OnText, signal: AbortSignal): Promise<AgentAnswer> {
    const framer = new AnswerFramer();
    try {
      const { passages, isAbstained } = await this.grounding.find(prepared, signal);
      const onText: OnText = async (text) => onFrames(framer.push(text));
      const written = isAbstained
        ? await abstain(prepared.query.query, onText)
        : await this.write(prepared, passages, onText, signal);
      await onFrames(framer.flush());
      const sources = written.passages.map((passage, index) =>
        toSource(passage, written.cited.has(index + 1)),
      );
      return await this.remember(prepared, { text: framer.text, sources, isAbstained, usage: written.usage });
    } catch (error) {
      // Who leaves has used the model; a failure of ours is not charged.
      if (!(signal.reason instanceof ClientGoneError)) await this.usage.refundAgentQuery(prepared.tenant);
      throw error;
    } finally {
      this.leave(prepared.tenant);
    }
  }

  private async write(
    { query, agent, model, prompts, history }: PreparedAnswer,
    candidates: FoundPassage[],
    onText: OnText,
    signal: AbortSignal,
  ): Promise<WrittenAnswer & { passages: FoundPassage[] }> {
    const context = assembleContext(candidates.map(toContextPassage), {
      maxTokens: this.config.CONTEXT_TOKENS,
      // Without a model nobody counts, and the tokenizer's tables (70 MB) need not be loaded.
      ...(model ? {} : { countTokens: estimateTokens }),
    });
    const { passages } = context;
    if (!model) {
      if (passages.length > 0) return { ...(await writeQuotes(query.query, passages, onText)), passages };
      await onText(noModelNotice(query.query));
      return { cited: new Set(), passages };
    }
    const values = { query: query.query, context: context.text };
    const past = history.map(({ from, text }) => ({
      role: from === 'human' ? ('user' as const) : ('assistant' as const),
      content: text,
    }));
    const system = prompts.system.replaceAll('{context}', () => context.text);
    const messages = toMessages(system, past, renderPrompt(prompts.user, values));
    const request = { messages, ...resolveSampling(query, agent) };
    return { ...(await writeWithModel(model, request, passages.length, onText, signal)), passages };
  }

  private async remember(
    { tenant, agent, query, conversationId, visitorId }: PreparedAnswer,
    {
      text,
      sources,
      isAbstained,
      usage,
    }: { text: string; sources: Source[]; isAbstained: boolean; usage: AgentAnswer['usage'] },
  ): Promise<AgentAnswer> {
    const questionId = newId();
    const messageId = newId();
    await this.conversations.append(
      tenant,
      { agentId: agent.id, externalId: conversationId, visitorId },
      {
        question: { id: questionId, text: query.query },
        answer: { id: messageId, text, sources, abstained: isAbstained },
      },
    );
    return {
      answer: text,
      conversationId,
      visitorId,
      sources,
      messageId,
      abstained: isAbstained,
      ...(usage ? { usage } : {}),
    };
  }

  private enter({ organizationId }: TenantScope): void {
    const count = this.underWay.get(organizationId) ?? 0;
    if (count >= this.config.MAX_CONCURRENT_ANSWERS) {
      throw new ApiError('RATE_LIMIT', 'Too many answers are under way in this organization.', {
        retryAfterSeconds: MAX_WAITING_SECONDS,
      });
    }
    this.underWay.set(organizationId, count + 1);
  }

  private leave({ organizationId }: TenantScope): void {
    const count = (this.underWay.get(organizationId) ?? 1) - 1;
    if (count === 0) this.underWay.delete(organizationId);
    else this.underWay.set(organizationId, count);
  }
}

async function abstain(
  question: string,
  onText: OnText,
): Promise<WrittenAnswer & { passages: FoundPassage[] }> {
  await onText(abstention(question));
  return { cited: new Set(), passages: [] };
}

function toContextPassage(passage: FoundPassage) {
  const { run } = passage;
  return {
    ...passage,
    chunkId: chunkIdOf(run.datasourceId, passage.contentHash),
    datasourceName: run.datasourceName,
    revision: run.revision,
  };
}
