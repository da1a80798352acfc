import type {
  CheckSource,
  Chunk,
  CreateDatasource,
  CreateDatasourceBatch,
  Datasource,
  DatasourceBatch,
  DatasourceStatus,
  DatasourceText,
  DocumentPage,
  DocumentTable,
  PreviewSite,
  Run,
  SitePreview,
  SiteUrl,
  SourceCheck,
  SourceDocument,
  SourceKindInfo,
  SyncDatasource,
  TableRows,
  TableRowsQuery,
  UpdateDatasource,
  UrlOutcome,
} from '@citewell/contracts';
import { CitewellError } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import type { PageParameters, Pages } from '../http/pages.js';
import { parseJson } from '../http/parse-json.js';
import { readableStream } from '../http/streamed-form.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, OpenResponse, RequestOptions, Transport } from '../http/transport.js';
import { type FileToUpload, sendFile, type UploadOptions } from './file-upload.js';
import { type WaitOptions, watchUntilSynched } from './watch-until-synched.js';

export interface ListDatasources extends PageParameters {
  datastoreId?: string | undefined;
  /** Lists the pages or files of this web site or ZIP archive. Without it, these are not listed. */
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
  /** A part of the name or, of a web page, of its title. Capital and small letters are the same. */
  name?: string | undefined;
}

/** A part of a text. Offsets are in UTF-16 code units. */
export interface TextRange {
  start?: number | undefined;
  end?: number | undefined;
  /** Default: the serving revision. A revision that is no longer stored is a `GONE` error. */
  revision?: number | undefined;
}

export interface UploadDatasource extends FileToUpload {
  datastoreId: string;
  /**
   * Replaces the file of this datastore that has the same `customId`, if there is one. Equal content is not
   * indexed again. Default false.
   */
  upsert?: boolean | undefined;
  /** Fields of your own, by which queries can filter. At most 4,096 characters of JSON. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * `refuse`: throws a `CONFLICT` if the datastore has a file with the same name or the same bytes. Its `details` have the
   * `reason`, and the id as `values.datasourceId`. Default `allow`.
   */
  duplicates?: 'allow' | 'refuse' | undefined;
}

/**
 * Datasources are the contents of a datastore: files, pages,
 * sites and texts. Every method throws `CitewellError`.
 */
export class Datasources {
  constructor(private readonly transport: Transport) {}

  /**
   * Creates a datasource from a page, a site or a text.
   * Ingestion runs afterwards: see {@link waitUntilSynched}.
   */
  create(datasource: CreateDatasource, options?: CreateOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: '/datasources', json: datasource, options });
  }

  /**
   * Creates datasources from up to 1,000 pages, sites and texts with one request. An item that is refused is refused
   * alone: check each result for an `error`.
   */
  createBatch(batch: CreateDatasourceBatch, options?: CreateOptions): Promise<DatasourceBatch> {
    return this.transport.json({ method: 'POST', path: '/datasources/batch', json: batch, options });
  }

  /**
   * Uploads a file. Ingestion runs afterwards: see {@link waitUntilSynched}. Retried only with an idempotency key, and
   * only if the file is a blob.
   */
  upload(
    { datastoreId, upsert = false, metadata, duplicates, ...file }: UploadDatasource,
    options?: UploadOptions,
  ): Promise<Datasource> {
    const fields = {
      type: 'file',
      datastoreId,
      ...(upsert ? { upsert: 'true' } : {}),
      ...(metadata ? { metadata: JSON.stringify(metadata) } : {}),
      ...(duplicates ? { duplicates } : {}),
    };
    return sendFile(this.transport, { method: 'POST', path: '/datasources' }, fields, file, options);
  }

  /**
   * Replaces the bytes and the name of a file, which keeps its id, its custom id and its metadata. Equal bytes are not
   * indexed again: see `upsertOutcome`.
   */
  replaceFile(
    id: string,
    file: Omit<FileToUpload, 'customId'>,
    options?: Omit<UploadOptions, 'idempotencyKey'>,
  ): Promise<Datasource> {
    return sendFile(this.transport, { method: 'PUT', path: `${pathOf(id)}/file` }, {}, file, options);
  }

  /**
   * The first ten pages that a crawl with this configuration would fetch. Nothing is indexed. Takes at most 15 seconds.
   */
  previewSite(site: PreviewSite, options?: RequestOptions): Promise<SitePreview> {
    return this.transport.json({ method: 'POST', path: '/sites/preview', json: site, options });
  }

  /** Opens a source with this configuration, and counts its documents. Nothing is indexed. Takes at most 30 seconds. */
  checkSource(source: CheckSource, options?: RequestOptions): Promise<SourceCheck> {
    return this.transport.json({ method: 'POST', path: '/sources/check', json: source, options });
  }

  /** The kinds of sources that this server can connect, and what their configuration has. */
  sourceKinds(options?: RequestOptions): Promise<SourceKindInfo[]> {
    return this.transport.json({ method: 'GET', path: '/sources/kinds', options });
  }

  list({ limit, cursor, ...query }: ListDatasources = {}, options?: RequestOptions): Pages<Datasource> {
    return this.transport.list({ path: '/datasources', query, options }, { limit, cursor });
  }

  get(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  update(id: string, changes: UpdateDatasource, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'PATCH', path: pathOf(id), json: changes, options });
  }

  /** Deletes a datasource. After the response, no query finds its content. */
  delete(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /** Starts a run that brings the datasource up to date. If a run is in progress, the new one starts after it. */
  sync(id: string, fields: SyncDatasource = {}, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/sync`, json: fields, options });
  }

  /** Cancels the run that is in progress. The serving revision stays. */
  cancel(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/cancel`, options });
  }

  /** Returns the canonical text. All offsets refer to it. */
  text(id: string, range: TextRange = {}, options?: RequestOptions): Promise<DatasourceText> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/text`, query: { ...range }, options });
  }

  /** Lists the tables of the document, with types for their columns. */
  tables(id: string, options?: RequestOptions): Promise<DocumentTable[]> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/tables`, options });
  }

  /**
   * Counts all rows of a table that satisfy conditions, such as those of a source of an answer, and returns some of them.
   *
   * @param number of the table in the document, from 1
   */
  tableRows(
    id: string,
    number: number,
    query: TableRowsQuery = {},
    options?: RequestOptions,
  ): Promise<TableRows> {
    const path = `${pathOf(id)}/tables/${number}/rows`;
    return this.transport.json({ method: 'POST', path, json: query, options });
  }

  /** Lists what the latest crawl of a web site found, in the order of discovery. */
  urls(
    id: string,
    { limit, cursor, ...query }: PageParameters & { outcome?: UrlOutcome | undefined } = {},
    options?: RequestOptions,
  ): Pages<SiteUrl> {
    return this.transport.list({ path: `${pathOf(id)}/urls`, query, options }, { limit, cursor });
  }

  /** Lists what the latest sync of a source has listed, by path. @param skipped only documents with a reason */
  documents(
    id: string,
    { limit, cursor, ...query }: PageParameters & { skipped?: boolean | undefined } = {},
    options?: RequestOptions,
  ): Pages<SourceDocument> {
    return this.transport.list({ path: `${pathOf(id)}/documents`, query, options }, { limit, cursor });
  }

  /** Lists the indexed chunks. */
  chunks(id: string, page?: PageParameters, options?: RequestOptions): Pages<Chunk> {
    return this.transport.list({ path: `${pathOf(id)}/chunks`, options }, page);
  }

  /** The words that text recognition (OCR) has found on a page, and where they are. @param page from 1 */
  page(id: string, page: number, options?: RequestOptions): Promise<DocumentPage> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/pages/${page}`, options });
  }

  /** Lists the runs, newest first. */
  runs(id: string, page?: PageParameters, options?: RequestOptions): Pages<Run> {
    return this.transport.list({ path: `${pathOf(id)}/runs`, options }, page);
  }

  /** Downloads the original file. */
  async file(id: string, options?: RequestOptions): Promise<DatasourceFile> {
    const path = `${pathOf(id)}/file`;
    return toDatasourceFile(await this.transport.open({ method: 'GET', path, accept: '*/*', options }));
  }

  /**
   * Yields the datasource now and after each change, until no
   * run is in progress or the datasource is deleted.
   *
   * @throws CitewellError `STREAM_INCOMPLETE` if the connection ends while a run is in progress
   */
  async *events(id: string, options?: RequestOptions): AsyncGenerator<Datasource, void, undefined> {
    const path = `${pathOf(id)}/events`;
    const { events } = await this.transport.events({ method: 'GET', path, options });
    yield* readDatasourceEvents(events);
  }

  /**
   * Waits until the datasource is `synched`.
   *
   * @returns the datasource. For a web site or a ZIP archive, the code of its `error` may be `PARTIAL`.
   * @throws DatasourceFailedError if the run ends with another status; CitewellError `TIMEOUT`, or
   * `NOT_FOUND` if the datasource is deleted
   */
  waitUntilSynched(id: string, options?: WaitOptions): Promise<Datasource> {
    return watchUntilSynched((signal) => this.get(id, { signal }), options);
  }
}

function pathOf(id: string): string {
  return `/datasources/${segment(id)}`;
}

/**
 * Reads the events of a datasource.
 *
 * @throws {@link CitewellError} `STREAM_INCOMPLETE` if the stream ends while a run is in progress,
 * `INVALID_RESPONSE` if an event is not valid JSON
 */
async function* readDatasourceEvents(
  events: AsyncIterable<ServerEvent>,
): AsyncGenerator<Datasource, void, undefined> {
  let hasEnded = false;
  for await (const { event, data } of events) {
    if (event === 'deleted') return;
    if (event !== 'datasource') continue;
    const datasource = parseJson<Datasource>(data, 'An event is not valid JSON.');
    yield datasource;
    hasEnded = datasource.progress === null;
  }
  if (!hasEnded)
    throw new CitewellError('STREAM_INCOMPLETE', 'The connection ended while a run was in progress.');
}

/** A file that is being downloaded. */
export interface DatasourceFile {
  name: string;
  mimeType: string;
  /** The bytes. Read them to the end or cancel the stream; otherwise the connection stays open. */
  stream: ReadableStream<Uint8Array>;
}

/** Converts a response to a file. The name is from `Content-Disposition` (RFC 6266). */
function toDatasourceFile(response: OpenResponse): DatasourceFile {
  const { headers } = response;
  return {
    name: fileNameOf(headers.get('content-disposition')),
    mimeType: headers.get('content-type') ?? 'application/octet-stream',
    stream: readableStream(response),
  };
}

function fileNameOf(header: string | null): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Invalid encoding: fall back to the plain name.
    }
  }
  return /filename\s*=\s*"([^"]*)"/i.exec(header ?? '')?.[1] ?? '';
}
