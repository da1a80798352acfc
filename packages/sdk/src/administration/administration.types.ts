import type { ModelName } from '../agents/agents.types.js';

export type Scope = 'agents:query' | 'datastores:query' | 'read' | 'write' | 'admin';

export interface CreateApiKey {
  name: string;
  /** `publishable` stands alone: such a key may be part of web pages. */
  scopes: (Scope | 'publishable')[];
  /** ISO 8601 with an offset or `Z`. */
  expiresAt?: string | null | undefined;
  /** The public agent that a publishable key may ask. */
  agentId?: string | null | undefined;
  /** The origins of the pages that may use a publishable key, such as `https://example.com`. */
  allowedOrigins?: string[] | null | undefined;
  /** Messages per day (UTC) with a publishable key; 1,000 by default. */
  dailyLimit?: number | null | undefined;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the key, to recognize it. */
  prefix: string;
  scopes: string[];
  expiresAt: string | null;
  /** Null unless the key is publishable, and so are the next two. */
  agentId: string | null;
  allowedOrigins: string[] | null;
  dailyLimit: number | null;
  createdAt: string;
}

/** No other response contains `key`. */
export interface ApiKeyWithSecret extends ApiKey {
  key: string;
}

export interface CreateOrganization {
  name: string;
}

export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

/** `key` is the first API key of the organization. No other response contains it. */
export interface OrganizationWithKey extends Organization {
  key: string;
}

/** Either a key or a code. */
export interface SignIn {
  /** The API key whose scopes the session gets. */
  key?: string | undefined;
  /** The code of a sign-in link, which works once. */
  code?: string | undefined;
}

/** Who is signed in. */
export interface Session {
  organization: { id: string; name: string };
  scopes: string[];
}

export interface ChatModel {
  /** The name at the provider. */
  name: string;
  provider: string;
  /** The model names of agents that stand for this model. */
  modelNames: ModelName[];
}

/** The configured models of the server. */
export interface Models {
  /** Empty if answers consist of quotes. */
  chat: ChatModel[];
  /** Null if documents are searched by words alone. */
  embedding: { name: string; provider: string; dimensions: number } | null;
  /** Null if passages keep the order of the search. The name `chat` stands for the chat model of new agents. */
  rerank: { name: string } | null;
}

/** The embedding model of the installation: the choice, its progress, and what is offered. */
export interface EmbeddingSettings {
  /** The chosen model: `builtin`, or as in the variable EMBEDDING_MODEL. */
  name: string;
  /** `environment`: the variable EMBEDDING_MODEL is set, and the choice cannot be changed. */
  chosenBy: 'default' | 'setting' | 'environment';
  /** What the server does before it can use the model. Meanwhile the earlier one answers. */
  preparation: {
    step: 'installing' | 'downloading' | 'loading' | 'failed';
    /** Part of the current file that is there, 0 to 1. Null if unknown. */
    done: number | null;
    /** Why it failed. It is tried again after a minute. */
    message: string | null;
  } | null;
  /** The documents of all organizations, and those that are found by the vectors of the chosen model. */
  documents: { done: number; total: number };
  /** Until all documents are done. Null if unknown. */
  secondsLeft: number | null;
  /** Local models that were tried. */
  offers: EmbeddingOffer[];
}

/** A local model, and what it costs. */
export interface EmbeddingOffer {
  name: string;
  languages: 'english' | 'multilingual';
  /** 0 if everything is on the server. */
  downloadBytes: number;
  /** Estimated time to embed what is stored, from the speed of the server. */
  seconds: number;
}

export interface ChooseEmbeddingModel {
  /**
   * `builtin`, `local` (multilingual-e5-small), or `local:` with the id of a model on the hub, a directory of the server,
   * or the URL of a folder with the files of a model.
   */
  name: string;
}

export interface TestModel {
  kind: 'chat' | 'embedding' | 'rerank';
  /** Which chat model. Default: that of new agents. */
  modelName?: ModelName | undefined;
}

export interface ModelTest {
  ok: boolean;
  durationMs: number;
  /** A sentence: that the model works, or why it does not. */
  message: string;
  /** What a chat model has written, at most 200 characters. */
  sample: string | null;
}

/** The chat model of the installation. The key itself is never shown. */
export interface ChatSettings {
  /** Null if no model is chosen: answers consist of quotes. */
  provider: string | null;
  /** The name at the provider. */
  model: string | null;
  /** Null for the address of the provider, or of a variable. */
  baseUrl: string | null;
  /** Whether a key is stored. */
  hasKey: boolean;
  /** The last four characters of a stored key of 16 or more. */
  keyEnd: string | null;
  /** `environment`: the variable CHAT_MODEL is set, and the choice cannot be changed. */
  chosenBy: 'default' | 'setting' | 'environment';
  /** Why the stored choice cannot be used. */
  problem: string | null;
  /** What may be chosen, each with the set variables of its address and key. The settings have neither then. */
  providers: { name: string; fixedBy: string[] }[];
}

export interface ChooseChatModel {
  provider: string;
  /** The name at the provider. */
  model: string;
  /** Null: that of the provider. */
  baseUrl?: string | null | undefined;
  /** Left out: the stored key stays if provider and address stay. Null or empty: no key. */
  apiKey?: string | null | undefined;
}

export interface HealthReport {
  /** `ok`, or what is wrong, for the database, the queue, the stores and the storage. */
  dependencies: Record<string, string>;
  /** Of the own organization. The operator can repair them with `citewell doctor --repair`. */
  problems: {
    /** What the affected items are, in the plural. */
    problem: string;
    count: number;
    /** The first 20. */
    ids: string[];
  }[];
}

/** What the organization has used in one month (UTC). */
export interface MonthlyUsage {
  /** `YYYY-MM` */
  month: string;
  agentQueries: number;
  /** Of complete answers, as the provider of the model counts them. */
  inputTokens: number;
  outputTokens: number;
  /** Now, or at the last agent query of a past month. Null if there was none. */
  storedCharacters: number | null;
}

/** A `limit` of null means no limit. */
export interface UsageReport {
  /** `YYYY-MM` */
  month: string;
  agentQueries: { used: number; limit: number | null };
  storedCharacters: { used: number; limit: number | null };
}
