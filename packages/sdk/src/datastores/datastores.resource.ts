import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, Transport } from '../http/transport.js';
import type {
  CreateDatastore,
  Datasource,
  Datastore,
  DatastoreQuery,
  DatastoreQueryItem,
  UpdateDatastore,
  UpdateText,
  UpsertTexts,
} from '../wire.types.js';
import { sendFile, type FileToUpload } from '../datasources/file-upload.js';

/** Datastores hold what can be searched. Every method throws `CitewellError`. */
export class Datastores {
  constructor(private readonly transport: Transport) {}

  create(datastore: CreateDatastore, options?: CreateOptions): Promise<Datastore> {
    return this.transport.json({ method: 'POST', path: '/datastores', json: datastore, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Datastore> {
    return this.transport.list({ path: '/datastores', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  update(id: string, changes: UpdateDatastore, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'PATCH', path: pathOf(id), json: changes, options });
  }

  /** Takes every datasource in it along. From the answer on no query finds anything of it. */
  delete(id: string, options?: RequestOptions): Promise<Datastore> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /** The passages that fit best, without an answer made of them. */
  query(id: string, query: DatastoreQuery, options?: RequestOptions): Promise<DatastoreQueryItem[]> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/query`, json: query, options });
  }

  /** @deprecated replaces the text of one datasource; delete it and create another */
  updateText(datastoreId: string, text: UpdateText, options?: RequestOptions): Promise<{ id: string }> {
    const path = `/datastores/update/${segment(datastoreId)}`;
    return this.transport.json({ method: 'POST', path, json: text, options });
  }

  /** @deprecated use `datasources.create` of type `text` */
  upsertTexts(datastoreId: string, texts: UpsertTexts, options?: RequestOptions): Promise<{ ids: string[] }> {
    const path = `/datastores/upsert/${segment(datastoreId)}`;
    return this.transport.json({ method: 'POST', path, json: texts, options });
  }

  /** @deprecated use `datasources.upload` */
  uploadFile(datastoreId: string, file: FileToUpload, options?: RequestOptions): Promise<Datasource> {
    const path = `/external/datastores/file-upload/${segment(datastoreId)}`;
    return sendFile(this.transport, path, {}, file, options);
  }
}

function pathOf(id: string): string {
  return `/datastores/${segment(id)}`;
}
