import { type AgentQuery, modelNameSchema } from '@citewell/contracts/schemas';
import {
  type AgentEntity,
  AgentRepository,
  ConversationRepository,
  type DatastoreEntity,
  DatastoreRepository,
  type MessageEntity,
  newId,
  type TenantScope,
} from '@citewell/database';
import type { ChatModel, ModelError } from '@citewell/models';
import { AnalyzedQuestion, type Turn } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, unwrap } from '../../http/api-error.js';
import { ChatModels } from '../../models/chat-models.js';
import { AnswerLimits, BudgetGuard, type ReleaseSlot } from './answer-limits.service.js';
import { type Prompts, resolvePrompts } from './prompts.js';
import type { Visit } from './visits.service.js';

/** Messages of the conversation that the model receives. */
const HISTORY_MESSAGES = 10;

/** What a client knows about a conversation that it keeps itself. */
export interface OwnConversation {
  /** Oldest first. */
  history: readonly Turn[];
  /** Added to the system prompt. Empty: none. */
  instructions: string;
  /** The question is a task that is done without documents. Without a model, the reply is the answer; null: there is none. */
  task?: { reply: string | null };
}

/**
 * An accepted query with everything that answering it needs. It holds a slot of {@link AnswerLimits} until `releaseSlot`, and a
 * reservation of {@link BudgetGuard} until it is counted.
 */
export interface PreparedAnswer {
  tenant: TenantScope;
  agent: AgentEntity;
  datastores: DatastoreEntity[];
  query: AgentQuery;
  /** That of the query. */
  question: AnalyzedQuestion;
  /** Null: no model is configured, or it has failed. The answer quotes passages. */
  model: ChatModel | null;
  /** Why the model has failed. */
  modelFailure?: ModelError;
  /** A failure of the model fails the answer. */
  needsModel?: true;
  /** An earlier answer of the conversation says that no model is configured. */
  knowsNoModel: boolean;
  prompts: Prompts & Pick<OwnConversation, 'instructions'>;
  conversationId: string;
  /** The ids of the messages under which question and answer are stored, in their order. */
  questionId: string;
  messageId: string;
  visitorId: string;
  /** With which a visitor of a web page can continue the conversation. Null: the query came with another key. */
  visitorToken: string | null;
  /** Oldest first. */
  history: readonly Turn[];
  /** That of the own conversation; null for a question. */
  task: { reply: string | null } | null;
  /** Whether question and answer become part of the stored conversation. */
  isStored: boolean;
  /** Of {@link BudgetGuard}. Null without budgets. */
  reservationId: string | null;
  releaseSlot: ReleaseSlot;
}

/** Loads what a query needs, and decides whether it may be answered. */
@Injectable()
export class AnswerPreparationService {
  constructor(
    @Inject(AgentRepository) private readonly agents: AgentRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(ChatModels) private readonly models: ChatModels,
    @Inject(AnswerLimits) private readonly limits: AnswerLimits,
    @Inject(BudgetGuard) private readonly budgets: Pick<BudgetGuard, 'reserve' | 'release'>,
  ) {}

  /**
   * Every reason to refuse a query is checked here, because an error after the stream has opened has no HTTP
   * status.
   *
   * @param options.visit of a query with a publishable key
   * @param options.own replaces the stored conversation: nothing is read from it, and nothing is stored
   * @throws {@link ApiError} `NOT_FOUND`, `CONFLICT` for an agent without datastore and for the conversation of another key, and those of {@link AnswerLimits.acquire} and {@link BudgetGuard.reserve}
   */
  async prepare(
    tenant: TenantScope,
    agentId: string,
    query: AgentQuery,
    { own, visit = null }: { own?: OwnConversation; visit?: Visit | null } = {},
  ): Promise<PreparedAnswer> {
    // These reads need nothing of each other, and the first word of the answer waits for all.
    const [foundAgent, datastores, stored] = await Promise.all([
      this.agents.findAlone(tenant, agentId),
      this.datastores.ofAgent(tenant, agentId),
      query.conversationId && !own ? this.storedConversation(tenant, agentId, query.conversationId) : null,
    ]);
    const agent = found(foundAgent, 'agent');
    const history = own?.history ?? stored?.history ?? [];
    const knowsNoModel = own ? history.some(({ from }) => from === 'agent') : (stored?.knowsNoModel ?? false);
    const model = await this.modelOf(tenant, query.modelName ? { modelName: query.modelName } : agent);
    if (datastores.length === 0 && (agent.restrictToSources || model === null)) throw withoutDatastore();
    const prepared = {
      tenant,
      agent,
      datastores,
      query,
      question: new AnalyzedQuestion(query.query),
      model,
      knowsNoModel,
      prompts: { ...resolvePrompts(query, agent), instructions: own?.instructions ?? '' },
      conversationId: query.conversationId ?? newId(),
      questionId: newId(),
      messageId: newId(),
      visitorId: query.visitorId ?? stored?.visitorId ?? newId(),
      visitorToken: visit?.token ?? null,
      history: history.slice(-HISTORY_MESSAGES),
      task: own?.task ?? null,
      isStored: own === undefined,
    };
    const reservationId = await this.budgets.reserve(tenant, agent.id);
    try {
      const releaseSlot = await this.limits.acquire(tenant, visit?.visitor ?? null);
      return { ...prepared, reservationId, releaseSlot };
    } catch (error) {
      await this.budgets.release(tenant, reservationId);
      throw error;
    }
  }

  /** The chat model of an agent; null if none is configured. */
  modelOf(tenant: TenantScope, { modelName }: Pick<AgentEntity, 'modelName'>): Promise<ChatModel | null> {
    return this.models.of(tenant, modelNameSchema.parse(modelName));
  }

  private async storedConversation(
    tenant: TenantScope,
    agentId: string,
    externalId: string,
  ): Promise<{ visitorId: string; history: readonly Turn[]; knowsNoModel: boolean } | null> {
    const conversation = unwrap(await this.conversations.find(tenant, agentId, externalId), {
      taken: () =>
        new ApiError(
          'CONFLICT',
          'Another API key began a conversation with this id. Choose another conversationId, or leave it out.',
        ),
    });
    if (conversation === null) return null;
    const messages = await this.conversations.messages(tenant, conversation.id, { limit: HISTORY_MESSAGES });
    return {
      visitorId: conversation.visitorId,
      history: historyOf(messages.toReversed()),
      knowsNoModel: messages.some(({ finishReason }) => finishReason === 'no_model'),
    };
  }
}

/** A model may answer without documents if the agent is not restricted to them. */
function withoutDatastore(): ApiError {
  return new ApiError(
    'CONFLICT',
    'The agent has no datastore to answer from. Give it one: PATCH the agent with datastoreIds.',
  );
}

/**
 * The turns of a conversation that a model gets as its history: those whose answer has text and did not fail. Others would
 * only be questions without answers.
 *
 * @param messages oldest first. Each answer follows its question
 */
export function historyOf(messages: readonly Pick<MessageEntity, 'author' | 'text' | 'state'>[]): Turn[] {
  return messages
    .filter((message, index) => {
      const answer = message.author === 'agent' ? message : messages[index + 1];
      const isAnswered = answer?.author === 'agent' && answer.text !== '';
      return isAnswered && (answer.state === 'complete' || answer.state === 'stopped');
    })
    .map(({ author, text }) => ({ from: author, text }));
}
