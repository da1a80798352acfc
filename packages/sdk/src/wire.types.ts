/*
 * What goes over the wire, written out: users of this package get neither our schemas nor the library they are made
 * with. `wire.types.spec.ts` holds every type here equal to the schema that the server checks with.
 */

export type Visibility = 'public' | 'private';
export type ModelName = 'gpt_3_5_turbo' | 'gpt_3_5_turbo_16k' | 'gpt_4' | 'gpt_4_32k';
export type PromptType = 'raw' | 'customer_support';
export type DatasourceType = 'file' | 'web_page' | 'web_site' | 'text';
export type DatasourceStatus = 'unsynched' | 'running' | 'synched' | 'error' | 'usage_limit_reached';
export type Stage = 'discovering' | 'fetching' | 'parsing' | 'indexing';
export type RunState = 'pending' | 'queued' | 'active' | 'succeeded' | 'failed' | 'cancelled';
export type Rating = 'good' | 'bad';
export type Scope = 'agents:query' | 'datastores:query' | 'read' | 'write' | 'admin';

/** ISO 8601 instants in UTC. */
export interface Timestamps {
  createdAt: string;
  updatedAt: string;
}

/** Restricts a search. An id that matches nothing matches nothing; an empty list is no filter. */
export interface Filters {
  custom_ids?: string[] | null | undefined;
  datasource_ids?: string[] | null | undefined;
}

/**
 * A passage that an answer may stand on; the marker `[n]` in the answer refers to the n-th. `start` and `end` are
 * UTF-16 offsets into the text of the datasource's revision `revision`, and `text` is exactly that slice.
 */
export interface Source {
  chunk_id: string;
  datasource_id: string;
  datasource_name: string;
  datasource_type: string;
  /** The page's URL, or the file's name. */
  source: string;
  /** 0..1, higher is better. */
  score: number;
  text: string;
  custom_id?: string | undefined;
  source_url?: string | undefined;
  mime_type?: string | undefined;
  /** The page or slide on which the passage begins, from 1. */
  page_number?: number | undefined;
  heading_path?: string[] | undefined;
  start: number;
  end: number;
  revision: number;
  /** Whether the answer refers to it. */
  cited: boolean;
  metadata?: Record<string, unknown> | undefined;
}

/** Tokens as the model's provider counted them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

export interface Agent {
  id: string;
  name: string;
  description: string;
  modelName: ModelName;
  /** 0..1 */
  temperature: number;
  visibility: Visibility;
  systemPrompt: string;
  userPrompt: string;
  promptType: PromptType | '';
  promptTemplate: string;
  datastoreIds: string[];
  /** Whether the agent says so when the documents hold nothing on a question, instead of answering from the model. */
  restrictToSources: boolean;
  timestamps: Timestamps;
}

/** What is absent stays as it is. */
export interface UpdateAgent {
  name?: string | undefined;
  description?: string | undefined;
  modelName?: ModelName | undefined;
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
}

export interface CreateAgent extends UpdateAgent {
  name: string;
}

/** A question, and settings that override the agent's for it. */
export interface AgentQuery {
  /** 1..8,192 characters. */
  query: string;
  /** Goes on with a conversation; without it, or with one that is not known, a new one begins. */
  conversationId?: string | null | undefined;
  visitorId?: string | null | undefined;
  /** 0..1 */
  temperature?: number | null | undefined;
  modelName?: 'gpt_3_5_turbo' | 'gpt_3_5_turbo_16k' | 'gpt_4' | null | undefined;
  /** Tokens of the answer at the most. */
  maxTokens?: number | null | undefined;
  /** -2..2 */
  presencePenalty?: number | null | undefined;
  /** -2..2 */
  frequencyPenalty?: number | null | undefined;
  /** 0..1; change this or `temperature`, not both. */
  topP?: number | null | undefined;
  filters?: Filters | null | undefined;
  systemPrompt?: string | null | undefined;
  userPrompt?: string | null | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptType?: PromptType | '' | null | undefined;
  /** @deprecated use `systemPrompt` and `userPrompt` */
  promptTemplate?: string | null | undefined;
}

export interface AgentAnswer {
  answer: string;
  conversationId: string;
  visitorId: string;
  sources: Source[];
  messageId: string;
  /** Nothing relevant was found, and the answer says so. */
  abstained: boolean;
  usage?: Usage | undefined;
}

export interface Datastore {
  id: string;
  name: string;
  description: string;
  type: 'qdrant';
  visibility: Visibility;
  timestamps: Timestamps;
}

/** What is absent stays as it is. */
export interface UpdateDatastore {
  name?: string | undefined;
  description?: string | undefined;
  type?: 'qdrant' | undefined;
  visibility?: Visibility | undefined;
}

export interface CreateDatastore extends UpdateDatastore {
  name: string;
}

export interface DatastoreQuery {
  /** 1..8,192 characters. */
  query: string;
  /** 1..100, default 5. */
  topK?: number | null | undefined;
  filters?: Filters | null | undefined;
}

/** A passage that was found; offsets as in {@link Source}. */
export interface DatastoreQueryItem {
  text: string;
  /** 0..1, never rising down the list. */
  score: number;
  source: string;
  datasource_id: string;
  datasource_name: string;
  chunk_id: string;
  custom_id?: string | undefined;
  page_number?: number | undefined;
  heading_path?: string[] | undefined;
  start: number;
  end: number;
  metadata?: Record<string, unknown> | undefined;
}

export interface TextDocument {
  text: string;
  name?: string | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface UpdateText extends TextDocument {
  id: string;
}

export interface UpsertTexts {
  documents: TextDocument[];
}

/** `done` and `total` count the stage's own unit: pages while parsing, chunks while indexing; 0 is unknown. */
export interface Progress {
  stage: Stage;
  done: number;
  total: number;
  failed: number;
  /** 0..100 over all stages. */
  percent: number;
  etaSeconds: number | null;
  /** Only of a web site. */
  pages?: { found: number; fetched: number; indexed: number; failed: number } | undefined;
}

export interface DatasourceError {
  code: string;
  /** One sentence for the user. */
  message: string;
  retryable: boolean;
}

export interface DatasourceStats {
  chunks: number;
  characters: number;
  bytes: number;
  pages: number;
  durationMs: number;
}

export interface Datasource {
  id: string;
  type: DatasourceType;
  name: string;
  status: DatasourceStatus;
  /** The web site that a page belongs to. */
  groupId: string | null;
  /** `YYYY-MM-DD`; the exact instants are in `timestamps`. */
  createdAt: string;
  updatedAt: string;
  lastSynch: string | null;
  config: Record<string, unknown>;
  datastoreId: string;
  customId: string | null;
  /** Null when nothing is under way. */
  progress: Progress | null;
  error: DatasourceError | null;
  stats: DatasourceStats;
  /** The revision that answers; 0 before the first. */
  revision: number;
  metadata?: Record<string, unknown> | undefined;
  timestamps: { createdAt: string; updatedAt: string; lastSynch: string | null };
}

interface CreateDatasourceFields {
  datastoreId: string;
  name?: string | undefined;
  custom_id?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface WebPageConfig {
  /** Whether the page is opened in a browser; `auto` does where it has no text without one. */
  render?: 'auto' | 'always' | 'never' | undefined;
  /** When it is brought up to date by itself: a cron expression of five fields, in UTC; empty or null is never. */
  schedule?: string | null | undefined;
}

export interface WebSiteConfig extends WebPageConfig {
  /** The most pages that are brought in. Default 1,000. */
  maxPages?: number | undefined;
  /** The most links between the start and a page. Default 20. */
  maxDepth?: number | undefined;
  /** Glob patterns on URLs. */
  include?: string[] | undefined;
  exclude?: string[] | undefined;
}

export interface CreateWebPage extends CreateDatasourceFields {
  type: 'web_page';
  config: WebPageConfig & { source_url: string; custom_id?: string | null | undefined };
}

/** One of `source_url` and `sitemap` is required. */
export interface CreateWebSite extends CreateDatasourceFields {
  type: 'web_site';
  config: WebSiteConfig & {
    source_url?: string | undefined;
    sitemap?: string | undefined;
    custom_id?: string | null | undefined;
  };
}

export interface CreateText extends CreateDatasourceFields {
  type: 'text';
  text: string;
  config?: { custom_id?: string | null | undefined } | null | undefined;
}

/** Files are uploaded: see `datasources.upload`. */
export type CreateDatasource = CreateWebPage | CreateWebSite | CreateText;

type Nullable<Fields> = { [Name in keyof Fields]?: Fields[Name] | null | undefined };

/** What is absent stays as it is. */
export interface UpdateDatasource {
  name?: string | undefined;
  customId?: string | null | undefined;
  /** What is null is taken out. */
  config?: Nullable<WebSiteConfig & { source_url?: string; sitemap?: string }> | undefined;
}

/** A slice of a datasource's canonical text; `length` is the whole text's, in UTF-16 units. */
export interface DatasourceText {
  revision: number;
  length: number;
  text: string;
}

/** A piece of a datasource as it is searched; offsets as in {@link Source}. */
export interface Chunk {
  chunk_id: string;
  ordinal: number;
  text: string;
  start: number;
  end: number;
  page_number?: number | undefined;
  heading_path?: string[] | undefined;
}

/** One attempt to bring a datasource up to date. */
export interface Run {
  id: string;
  trigger: string;
  state: RunState;
  stage: Stage;
  revision: number | null;
  failures: number;
  crashes: number;
  progress: Progress | null;
  error: DatasourceError | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface Message {
  id: string;
  from: 'human' | 'agent';
  text: string;
  createdAt: string;
  sources: Source[];
  rating?: Rating | undefined;
}

export interface Conversation {
  id: string;
  agentId: string;
  visitorId: string;
  createdAt: string;
  updatedAt: string;
}

/** With one page of its messages, newest first. */
export interface ConversationWithMessages extends Conversation {
  messages: Message[];
}

export interface Feedback {
  rating: Rating;
  comment?: string | null | undefined;
}

export interface CreateApiKey {
  name: string;
  scopes: Scope[];
  /** ISO 8601 with an offset or `Z`. */
  expiresAt?: string | null | undefined;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The key's beginning, to recognise it by. */
  prefix: string;
  scopes: string[];
  expiresAt: string | null;
  createdAt: string;
}

/** `key` is shown this once. */
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

/** `key` is the organization's first, shown this once. */
export interface OrganizationWithKey extends Organization {
  key: string;
}

/** `limit` null is none. */
export interface UsageReport {
  /** `YYYY-MM` */
  month: string;
  agentQueries: { used: number; limit: number | null };
  storedCharacters: { used: number; limit: number | null };
}
