import type { ErrorDetail } from '../citewell-error.js';

export type DatasourceType = 'file' | 'web_page' | 'web_site' | 'text';
export type DatasourceStatus = 'unsynched' | 'running' | 'synched' | 'error' | 'usage_limit_reached';
export type Stage = 'discovering' | 'fetching' | 'parsing' | 'indexing' | 'embedding';
export type RunState = 'pending' | 'queued' | 'active' | 'succeeded' | 'failed' | 'cancelled';

/**
 * `done` and `total` count the unit of the stage: pages while
 * parsing, characters of text while indexing. 0 means unknown.
 */
export interface Progress {
  stage: Stage;
  done: number;
  total: number;
  failed: number;
  /** 0 to 100, over all stages. */
  percent: number;
  etaSeconds: number | null;
  /** Only for a web site or a ZIP archive, whose files are counted. */
  pages?: { found: number; fetched: number; indexed: number; failed: number } | undefined;
}

export interface DatasourceError {
  code: string;
  /** A message for the user: what happened, and what to do next. */
  message: string;
  retryable: boolean;
}

export type LeftOutReason = 'running' | 'navigation' | 'hidden' | 'deleted';

export interface DatasourceStats {
  chunks: number;
  characters: number;
  bytes: number;
  pages: number;
  durationMs: number;
  /**
   * Characters that are not part of the stored text, by reason: `running` heads and page numbers, `navigation` and other
   * page furniture, `hidden` text that no reader sees, and `deleted` text. A reason without text is absent.
   */
  leftOut: Partial<Record<LeftOutReason, number>>;
}

export interface Datasource {
  id: string;
  type: DatasourceType;
  name: string;
  /** The title that the document itself has, such as that of a web page; null if it has none. */
  title: string | null;
  status: DatasourceStatus;
  /** For a page of a web site or a file of a ZIP archive: the id of the site or archive. */
  groupId: string | null;
  /** `YYYY-MM-DD`. The exact instants are in `timestamps`. */
  createdAt: string;
  updatedAt: string;
  lastSynch: string | null;
  config: Record<string, unknown>;
  datastoreId: string;
  customId: string | null;
  /** The media type of a file or page; null while it is unknown. */
  mimeType: string | null;
  /** Null when no run is in progress. */
  progress: Progress | null;
  /**
   * Vectors of the embedding model that are still being computed: chunks of a document, pages of a web site, files of an
   * archive. Null if nothing is outstanding.
   */
  semantic: { done: number; total: number } | null;
  error: DatasourceError | null;
  stats: DatasourceStats;
  /** The serving revision. 0 before the first revision. */
  revision: number;
  metadata?: Record<string, unknown> | undefined;
  /** What an upsert did. Only in its response. A web page or web site that exists is `replaced`. */
  upsertOutcome?: 'created' | 'replaced' | 'unchanged' | undefined;
  timestamps: { createdAt: string; updatedAt: string; lastSynch: string | null };
}

interface InDatastore {
  datastoreId: string;
}

interface DatasourceItemFields {
  name?: string | undefined;
  custom_id?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  /** Replaces the datasource of this datastore that has the same `custom_id`, if there is one. Default false. */
  upsert?: boolean | null | undefined;
}

export interface WebPageConfig {
  /** Whether the page is rendered in a browser. `auto`: only if it has no text without one. */
  render?: 'auto' | 'always' | 'never' | undefined;
  /** Schedule of automatic syncs: a cron expression with five fields, or a name such as
   * `@daily`, in UTC. Empty or null: none. */
  schedule?: string | null | undefined;
}

export interface WebSiteConfig extends WebPageConfig {
  /** Maximum number of pages that are indexed. Default 1,000. */
  maxPages?: number | undefined;
  /** Maximum number of links from the start page to a page. Default: no limit. */
  maxDepth?: number | undefined;
  /** Glob patterns on URLs. */
  include?: string[] | undefined;
  exclude?: string[] | undefined;
}

export interface WebPageItem extends DatasourceItemFields {
  type: 'web_page';
  config: WebPageConfig & { source_url: string; custom_id?: string | null | undefined };
}

/** At least one of `source_url` and `sitemap` is required. */
export interface WebSiteItem extends DatasourceItemFields {
  type: 'web_site';
  config: WebSiteConfig & {
    source_url?: string | undefined;
    sitemap?: string | undefined;
    custom_id?: string | null | undefined;
  };
}

export interface TextItem extends DatasourceItemFields {
  type: 'text';
  text: string;
  config?: { custom_id?: string | null | undefined } | null | undefined;
}

/** A datasource of a batch. */
export type DatasourceItem = WebPageItem | WebSiteItem | TextItem;

export interface CreateWebPage extends WebPageItem, InDatastore {}
export interface CreateWebSite extends WebSiteItem, InDatastore {}
export interface CreateText extends TextItem, InDatastore {}

export interface CreateDatasourceBatch extends InDatastore {
  /** 1 to 1,000, with at most 20 MB of JSON together. */
  items: DatasourceItem[];
}

/** What became of an item: a datasource, or an error. `'error' in result` tells which. */
export type BatchItemResult =
  | Pick<Datasource, 'id' | 'status' | 'upsertOutcome'>
  | { error: string; message: string; details?: ErrorDetail[] | undefined };

export interface DatasourceBatch {
  /** In the order of the items. */
  items: BatchItemResult[];
}

/** At least one of `source_url` and `sitemap` is required. */
export interface PreviewSite {
  config: WebSiteConfig & { source_url?: string | undefined; sitemap?: string | undefined };
}

export interface PreviewedPage {
  url: string;
  /** Null if the page is fetched. Else: `exclude`, `include` or robots.txt leaves it out. */
  leftOut: 'EXCLUDED' | 'NOT_INCLUDED' | 'ROBOTS' | null;
}

export interface SitePreview {
  /** In the order of discovery: the first ten pages that are fetched, and those left out among them. */
  pages: PreviewedPage[];
  /** False if the site is slow or pauses: it may have more pages. */
  isComplete: boolean;
  /** A sentence, if the site cannot be read. */
  error: string | null;
}

/** To create a datasource from a file, use `datasources.upload`. */
export type CreateDatasource = CreateWebPage | CreateWebSite | CreateText;

type Nullable<Fields> = { [Name in keyof Fields]?: Fields[Name] | null | undefined };

/** An absent field keeps its value. */
/** How a datasource is synched. */
export interface SyncDatasource {
  /** Of a web site: removes pages that were not found or are gone, however many they are. Default false. */
  removeMissing?: boolean | undefined;
}

export interface UpdateDatasource {
  name?: string | undefined;
  customId?: string | null | undefined;
  /** A field that is null is removed. */
  config?: Nullable<WebSiteConfig & { source_url?: string; sitemap?: string; encoding?: string }> | undefined;
}

/**
 * A part of the canonical text of a datasource. `length` is
 * the length of the whole text, in UTF-16 code units.
 */
export interface DatasourceText {
  revision: number;
  length: number;
  text: string;
}

/** What a crawl found a URL to be. `waiting`: the crawl is in progress and has not fetched it yet. */
export type UrlOutcome =
  'page' | 'redirect' | 'canonical' | 'duplicate' | 'skipped' | 'failed' | 'sitemap' | 'feed' | 'waiting';

/** A URL that the latest crawl of a web site found. */
export interface SiteUrl {
  url: string;
  kind: 'page' | 'sitemap';
  outcome: UrlOutcome;
  /** Why it was skipped or failed; of a sitemap, what was wrong with it. */
  reason: string | null;
  /** The reason as a sentence. */
  message: string | null;
  /** Where a redirect or canonical link leads, or the page with the same text. */
  target: string | null;
  /** The datasource of the page. */
  datasourceId: string | null;
}

/** A span of the canonical text that is indexed and searched. Offsets are as in `Source`. */
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
