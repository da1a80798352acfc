import type {
  CreateDatastore,
  Datasource,
  Datastore,
  DatastoreProgress,
  DatastoreQuery,
  DatastoreQueryItem,
  ListedDatastore,
  SearchExplanation,
  UpdateDatastore,
  UpdateText,
  UpsertTexts,
} from '@citewell/contracts';
import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, Transport } from '../http/transport.js';
import { sendFile, type FileToUpload } from './file-upload.js';

/** Datastores are searchable collections of datasources. Every method throws `CitewellError`. */
export class Datastores {
  constructor(private readonly transport: Transport) {}

  create(datastore: CreateDatastore, options?: CreateOptions): Promise<Datastore> {
    return this.transport.json({ method: 'POST', path: '/datastores', json: datastore, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<ListedDatastore> {
    return this.transport.list({ path: '/datastores', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Returns how much of the datastore is indexed, and when the rest will be. */
  progress(id: string, options?: RequestOptions): Promise<DatastoreProgress> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/progress`, options });
  }

  update(id: string, changes: UpdateDatastore, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'PATCH', path: pathOf(id), json: changes, options });
  }

  /** Deletes a datastore with all its datasources. After the response, no query finds their content. */
  delete(id: string, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /** Returns the best passages for a query, without an answer. */
  query(id: string, query: DatastoreQuery, options?: RequestOptions): Promise<DatastoreQueryItem[]> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/query`, json: query, options });
  }

  /** Searches as {@link query} does, and by words and by meaning alone. */
  explain(id: string, query: DatastoreQuery, options?: RequestOptions): Promise<SearchExplanation> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/explain`, json: query, options });
  }

  /** @deprecated Replaces the text of a datasource. Delete the datasource and create a new one instead. */
  updateText(datastoreId: string, text: UpdateText, options?: RequestOptions): Promise<{ id: string }> {
    const path = `/datastores/update/${segment(datastoreId)}`;
    return this.transport.json({ method: 'POST', path, json: text, options });
  }

  /** @deprecated Use `datasources.create` with type `text`. */
  upsertTexts(datastoreId: string, texts: UpsertTexts, options?: RequestOptions): Promise<{ ids: string[] }> {
    const path = `/datastores/upsert/${segment(datastoreId)}`;
    return this.transport.json({ method: 'POST', path, json: texts, options });
  }

  /** @deprecated Use `datasources.upload`. */
  uploadFile(datastoreId: string, file: FileToUpload, options?: RequestOptions): Promise<Datasource> {
    const path = `/external/datastores/file-upload/${segment(datastoreId)}`;
    return sendFile(this.transport, { method: 'POST', path }, {}, file, options);
  }
}

function pathOf(id: string): string {
  return `/datastores/${segment(id)}`;
}
