import type { MessageState } from '../conversations/conversations.types.js';
import type {
  AnswerSentence,
  Filters,
  FinishReason,
  Source,
  Timestamps,
  Usage,
  Visibility,
} from '../shared.types.js';

export type ModelName = 'gpt_3_5_turbo' | 'gpt_3_5_turbo_16k' | 'gpt_4' | 'gpt_4_32k';
/**
 * What happens to an answer of a model with a sentence that no passage supports: the sentence is marked in
 * `sentences`, or quotes of the passages replace the answer.
 */
export type OnUnsupported = 'mark' | 'quote';
export type PromptType = 'raw' | 'customer_support';

export interface Agent {
  id: string;
  name: string;
  description: string;
  modelName: ModelName;
  /** 0 to 1. */
  temperature: number;
  visibility: Visibility;
  systemPrompt: string;
  userPrompt: string;
  promptType: PromptType | '';
  promptTemplate: string;
  datastoreIds: string[];
  /**
   * True: if the documents do not contain the answer, the agent says so and does not answer from the model.
   */
  restrictToSources: boolean;
  /** How many passages are searched for an answer. */
  topK: number;
  /** Passages with a lower score are not used, 0..1. A restricted agent abstains if none is left. */
  minScore: number;
  onUnsupported: OnUnsupported;
  timestamps: Timestamps;
}

/** An absent field keeps its value. */
export interface UpdateAgent {
  name?: string | undefined;
  description?: string | undefined;
  modelName?: ModelName | undefined;
  /** 0 to 1. */
  temperature?: number | undefined;
  visibility?: Visibility | undefined;
  systemPrompt?: string | undefined;
  /** A template with `{query}` and `{context}`. */
  userPrompt?: string | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptType?: PromptType | '' | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptTemplate?: string | undefined;
  datastoreIds?: string[] | undefined;
  restrictToSources?: boolean | undefined;
  /** 1 to 100, default 12. */
  topK?: number | undefined;
  /** 0 to 1, default 0.5. */
  minScore?: number | undefined;
  /** Default `mark`. */
  onUnsupported?: OnUnsupported | undefined;
}

export interface CreateAgent extends UpdateAgent {
  name: string;
}

/** A question, and settings that override the settings of the agent for this question. */
export interface AgentQuery {
  /** 1 to 8,192 characters. */
  query: string;
  /** Continues a conversation. If absent or unknown, a new conversation starts. */
  conversationId?: string | null | undefined;
  visitorId?: string | null | undefined;
  /** 0 to 1. */
  temperature?: number | null | undefined;
  modelName?: 'gpt_3_5_turbo' | 'gpt_3_5_turbo_16k' | 'gpt_4' | null | undefined;
  /** Maximum number of tokens of the answer. */
  maxTokens?: number | null | undefined;
  /** -2 to 2. */
  presencePenalty?: number | null | undefined;
  /** -2 to 2. */
  frequencyPenalty?: number | null | undefined;
  /** 0 to 1. Change either this or `temperature`, not both. */
  topP?: number | null | undefined;
  /** 1 to 100. */
  topK?: number | null | undefined;
  /** 0 to 1. */
  minScore?: number | null | undefined;
  filters?: Filters | null | undefined;
  systemPrompt?: string | null | undefined;
  userPrompt?: string | null | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptType?: PromptType | '' | null | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptTemplate?: string | null | undefined;
  /** Only with a publishable key. */
  visitorToken?: string | null | undefined;
}

/** With these ids, a client comes back to a resumable answer. */
export interface AnswerStart {
  conversationId: string;
  visitorId: string;
  messageId: string;
  /** Only with a publishable key. */
  visitorToken?: string | undefined;
}

/** `answering` until the server has stopped the answer. */
export interface AnswerState {
  messageId: string;
  state: MessageState;
}

export interface AgentAnswer {
  answer: string;
  conversationId: string;
  visitorId: string;
  sources: Source[];
  messageId: string;
  /** True if the documents do not contain the answer, and the agent says so. */
  abstained: boolean;
  /** If it is not `stop`, the answer ends with a sentence that says so. */
  finishReason: FinishReason;
  /** How many passages the model could not be given, because they exceed its context. Absent if it was given all. */
  passagesLeftOut?: number | undefined;
  /** Of an answer of a model, if it has the language of the passages. */
  sentences?: AnswerSentence[] | undefined;
  /** False if the server's storage is full: the conversation does not contain this answer. Absent otherwise. */
  stored?: false | undefined;
  /** Only if the answer was stopped: it has what was written until then. Absent otherwise. */
  state?: 'stopped' | undefined;
  usage?: Usage | undefined;
}

/** What anybody may know about a public agent. */
export interface AgentProfile {
  id: string;
  name: string;
  description: string;
}

/** A question of a visitor of a web page. */
export type VisitorQuery = Pick<AgentQuery, 'query' | 'conversationId' | 'visitorId' | 'visitorToken'>;

/** A passage that the answer cites as `[number]`. */
export interface PublicSource extends Pick<
  Source,
  'datasource_name' | 'source' | 'text' | 'source_url' | 'page_number' | 'heading_path' | 'quote' | 'added'
> {
  number: number;
}

/** An answer to a query with a publishable key. */
export interface PublicAnswer {
  answer: string;
  conversationId: string;
  visitorId: string;
  /** The cited passages only. */
  sources: PublicSource[];
  messageId: string;
  abstained: boolean;
  finishReason: FinishReason;
  /** As in {@link AgentAnswer}. */
  state?: 'stopped' | undefined;
  sentences?: AnswerSentence[] | undefined;
  /** Sent with the next question, it continues the conversation. */
  visitorToken: string;
}
