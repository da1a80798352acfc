import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, Transport } from '../http/transport.js';
import type {
  Chunk,
  CreateDatasource,
  Datasource,
  DatasourceStatus,
  DatasourceText,
  Run,
  UpdateDatasource,
} from '../wire.types.js';
import { readDatasourceEvents } from './datasource-events.js';
import { type DatasourceFile, toDatasourceFile } from './datasource-file.js';
import { type FileToUpload, sendFile } from './file-upload.js';
import { type WaitOptions, watchUntilSynched } from './synch-watch.js';

export interface ListDatasources extends PageParameters {
  datastoreId?: string | undefined;
  /** The pages of a web site; they are listed with this only. */
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
}

/** Which part of a text; offsets are UTF-16 units. */
export interface TextRange {
  start?: number | undefined;
  end?: number | undefined;
  /** Default: the one that answers now. One that is no longer kept is `GONE`. */
  revision?: number | undefined;
}

export interface UploadDatasource extends FileToUpload {
  datastoreId: string;
}

/** Datasources are what goes into a datastore: files, pages, texts. Every method throws `CitewellError`. */
export class Datasources {
  constructor(private readonly transport: Transport) {}

  /** A page or a text. It is taken in afterwards: see {@link waitUntilSynched}. */
  create(datasource: CreateDatasource, options?: CreateOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: '/datasources', json: datasource, options });
  }

  /** A file. It is read afterwards: see {@link waitUntilSynched}. Repeated by itself only with an idempotency key. */
  upload({ datastoreId, ...file }: UploadDatasource, options?: CreateOptions): Promise<Datasource> {
    return sendFile(this.transport, '/datasources', { type: 'file', datastoreId }, file, options);
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

  /** From the answer on no query finds anything of it. */
  delete(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /** Brings it up to date. While that is under way already, nothing is added. */
  sync(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/sync`, options });
  }

  /** Stops what is under way; a revision that answers goes on answering. */
  cancel(id: string, options?: RequestOptions): Promise<Datasource> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/cancel`, options });
  }

  /** The canonical text, into which every offset points. */
  text(id: string, range: TextRange = {}, options?: RequestOptions): Promise<DatasourceText> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/text`, query: { ...range }, options });
  }

  /** The pieces that are searched. */
  chunks(id: string, page?: PageParameters, options?: RequestOptions): Pages<Chunk> {
    return this.transport.list({ path: `${pathOf(id)}/chunks`, options }, page);
  }

  /** The attempts to bring it up to date, newest first. */
  runs(id: string, page?: PageParameters, options?: RequestOptions): Pages<Run> {
    return this.transport.list({ path: `${pathOf(id)}/runs`, options }, page);
  }

  /** The original, as it was given. */
  async file(id: string, options?: RequestOptions): Promise<DatasourceFile> {
    const path = `${pathOf(id)}/file`;
    return toDatasourceFile(await this.transport.open({ method: 'GET', path, accept: '*/*', options }));
  }

  /**
   * The datasource now, and again whenever it changes, until nothing is under way any more or it is deleted.
   *
   * @throws CitewellError `STREAM_INCOMPLETE` when the connection ends while something is under way
   */
  async *events(id: string, options?: RequestOptions): AsyncGenerator<Datasource, void, undefined> {
    const path = `${pathOf(id)}/events`;
    const { events } = await this.transport.events({ method: 'GET', path, options });
    yield* readDatasourceEvents(events);
  }

  /**
   * Waits until it answers questions.
   *
   * @returns the datasource, `synched`; for a web site its `error` may still say `PARTIAL`
   * @throws DatasourceFailedError when it ended otherwise; CitewellError `TIMEOUT`, or `NOT_FOUND` when it is deleted
   */
  waitUntilSynched(id: string, options?: WaitOptions): Promise<Datasource> {
    return watchUntilSynched((signal) => this.get(id, { signal }), options);
  }
}

function pathOf(id: string): string {
  return `/datasources/${segment(id)}`;
}
