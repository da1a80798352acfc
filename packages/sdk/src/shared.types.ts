/*
 * Wire types that more than one resource uses. The SDK declares the wire types
 * itself, so that its users need neither the schemas of the server nor zod.
 * `wire-types.spec.ts` checks that each type equals the schema of the server.
 */

export type Visibility = 'public' | 'private';

/** ISO 8601 instants in UTC. */
export interface Timestamps {
  createdAt: string;
  updatedAt: string;
}

/** Tokens, as counted by the model provider. */
/**
 * Why an answer ended. `stop`: it is complete. `length`: it reached a limit of tokens. `content_filter`: a filter of the
 * model provider stopped it. `refusal`: the model declined to answer. `tool_calls`, `error`: it stopped for another reason.
 */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_calls' | 'error';

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** Restricts a search to some datasources. An empty list is no filter. An unknown id matches nothing. */
export interface Filters {
  /** An empty list is an error, because it would mean "no filter". */
  custom_ids?: string[] | null | undefined;
  datasource_ids?: string[] | null | undefined;
}

/** A sentence of an answer that states something. Offsets in UTF-16 code units into `answer`. */
export interface AnswerSentence {
  start: number;
  end: number;
  /** Whether the sentence cites a source, or the service found one that contains its words. */
  supported: boolean;
  /** `added` citations are by the service, and not in `answer`. */
  citations: { number: number; added: boolean }[];
}

/** The sentences of a passage that answer the question, with offsets like those of the passage. */
export interface Quote {
  start: number;
  end: number;
  text: string;
}

/**
 * A passage that an answer may cite. The marker `[n]` in the answer refers to the n-th source. `start` and
 * `end` are offsets, in UTF-16 code units, into the text of revision `revision` of the datasource. `text` is
 * exactly this part of that text.
 */
export interface Source {
  chunk_id: string;
  datasource_id: string;
  datasource_name: string;
  datasource_type: string;
  /** URL of the page, or name of the file. */
  source: string;
  /** 0 to 1, higher is better. */
  score: number;
  text: string;
  custom_id?: string | undefined;
  source_url?: string | undefined;
  mime_type?: string | undefined;
  /** The page or slide on which the passage starts, from 1. */
  page_number?: number | undefined;
  heading_path?: string[] | undefined;
  start: number;
  end: number;
  revision: number;
  /** Whether the answer cites this source. */
  cited: boolean;
  /** Of cited sources: the model did not cite it. The service found that it supports a sentence. */
  added?: true | undefined;
  /** Of cited sources: the sentences of `text` that answer the question, if such are found. */
  quote?: Quote | undefined;
  metadata?: Record<string, unknown> | undefined;
}
