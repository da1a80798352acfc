import type { Filters, Timestamps, Visibility } from '../shared.types.js';

export interface Datastore {
  id: string;
  name: string;
  description: string;
  type: 'qdrant';
  visibility: Visibility;
  timestamps: Timestamps;
}

/** A datastore of a list, with the number of its datasources. */
export interface ListedDatastore extends Datastore {
  /** A web site or an archive counts as its pages or files, and as one more if it failed. */
  documents: { total: number; inProgress: number; failed: number };
}

/** An absent field keeps its value. */
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
  /** 1 to 8,192 characters. */
  query: string;
  /** Number of passages, 1 to 100, default 5. */
  topK?: number | null | undefined;
  /** Passages with a lower score are left out, 0..1. Default: 0. */
  minScore?: number | null | undefined;
  filters?: Filters | null | undefined;
}

/** A passage that a query found. Offsets are as in `Source`. */
export interface DatastoreQueryItem {
  text: string;
  /** 0 to 1. The list is in descending order of the score. */
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

export interface LegScore {
  /** From 1. */
  rank: number;
  /** Relevance overall, BM25 for words, cosine similarity for meaning. */
  score: number;
}

/** A passage, and its ranks among all passages of the datastore, whatever the filters. */
export interface ExplainedPassage extends DatastoreQueryItem {
  /** In all searches together. Null if the passage is not among the first 50, or the first `topK` if that is more. */
  overall: LegScore | null;
  /** By words. Null if the passage is not among the first 100. */
  words: LegScore | null;
  /** By meaning. Null if the passage is not among the first 100, or without an embedding model. */
  meaning: LegScore | null;
  /**
   * Score of the rerank model, 0..1, which decides the order. Null without a model, if it fails or is too slow, and
   * outside of `passages`.
   */
  rerank_score: number | null;
  /** The terms of the query that the passage contains, or the names of its document. */
  matched_terms: string[];
  /** The terms of the query that neither of them contains. */
  missing_terms: string[];
}

export interface SearchExplanation {
  /** The words of the query as they are indexed: stemmed, without stop words. */
  terms: string[];
  /** What `datastores.query` returns. */
  passages: ExplainedPassage[];
  /** The best passages by words alone, within the filters. */
  words: ExplainedPassage[];
  /** The best passages by meaning alone, within the filters. Null without an embedding model. */
  meaning: ExplainedPassage[] | null;
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

/** How much of a datastore is indexed. */
export interface DatastoreProgress {
  /** All datasources. A web site or an archive counts, and so does each of its pages or files. */
  total: number;
  statuses: {
    unsynched: number;
    running: number;
    synched: number;
    error: number;
    usage_limit_reached: number;
  };
  /** How many were synched per minute in the last five minutes. Null if fewer than two were. */
  documentsPerMinute: number | null;
  /** Estimated time until nothing is in progress. Null if the speed is unknown. */
  etaSeconds: number | null;
}
