import type { UpdateText, UpsertTexts } from '@citewell/contracts/http';
import {
  DatasourceRepository,
  DatastoreRepository,
  type NewDatasource,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound } from '../http/api-error.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';

/** Creates and replaces texts for the deprecated endpoints. */
@Injectable()
export class TextsService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
  ) {}

  /** Replaces the content of a file or text. The datasource keeps its type. */
  async update(tenant: TenantScope, datastoreId: string, body: UpdateText): Promise<{ id: string }> {
    found(await this.datastores.find(tenant, datastoreId), 'datastore');
    const { datasource } = found(await this.datasources.find(tenant, body.id), 'datasource');
    if (datasource.datastoreId !== datastoreId) throw notFound('datasource');
    if (datasource.type !== 'file' && datasource.type !== 'text') {
      throw new ApiError(
        'CONFLICT',
        'The content of a web datasource comes from its URL and cannot be replaced.',
      );
    }
    const content = await this.receiver.receiveText(tenant, body.text, datasource.id);
    await this.receiver.discardOnError([content], async () => {
      const replaced = await this.datasources.replaceContent(tenant, datasource.id, {
        ...content,
        mimeType: 'text/plain',
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      });
      // The datasource may have been deleted meanwhile.
      found(replaced, 'datasource');
    });
    return { id: datasource.id };
  }

  /** Creates one text datasource per document, in the given order: all of them, or none. */
  async upsert(
    tenant: TenantScope,
    datastoreId: string,
    { documents }: UpsertTexts,
  ): Promise<{ ids: string[] }> {
    found(await this.datastores.find(tenant, datastoreId), 'datastore');
    const contents: ReceivedContent[] = [];
    const views = await this.receiver.discardOnError(contents, async () => {
      const items: NewDatasource[] = [];
      for (const { text, name, metadata } of documents) {
        const content = await this.receiver.receiveText(tenant, text);
        contents.push(content);
        items.push({
          id: content.datasourceId,
          content,
          datastoreId,
          type: 'text',
          name: name ?? 'Text',
          customId: null,
          config: {},
          metadata: metadata ?? null,
          mimeType: 'text/plain',
        });
      }
      return this.datasources.create(tenant, items);
    });
    return { ids: views.map((view) => view.datasource.id) };
  }
}
