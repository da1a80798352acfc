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

/** Texts, as the deprecated endpoints write them. */
@Injectable()
export class TextsService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
  ) {}

  /** Replaces the content of a file or text; its type stays. */
  async update(tenant: TenantScope, datastoreId: string, body: UpdateText): Promise<{ id: string }> {
    found(await this.datastores.find(tenant, datastoreId), 'datastore');
    const { datasource } = found(await this.datasources.find(tenant, body.id), 'datasource');
    if (datasource.datastoreId !== datastoreId) throw notFound('datasource');
    if (datasource.type !== 'file' && datasource.type !== 'text') {
      throw new ApiError('CONFLICT', 'The content of a web datasource comes from its address.');
    }
    const content = await this.receiver.receiveText(tenant, body.text, datasource.id);
    await this.keeping([content], async () => {
      const replaced = await this.datasources.replaceContent(tenant, datasource.id, {
        ...content,
        mimeType: 'text/plain',
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      });
      // It may have been deleted while the text came in.
      found(replaced, 'datasource');
    });
    return { id: datasource.id };
  }

  /** One text datasource for each document, in the order given; all or none. */
  async upsert(
    tenant: TenantScope,
    datastoreId: string,
    { documents }: UpsertTexts,
  ): Promise<{ ids: string[] }> {
    found(await this.datastores.find(tenant, datastoreId), 'datastore');
    const contents: ReceivedContent[] = [];
    const views = await this.keeping(contents, async () => {
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

  private async keeping<Result>(
    contents: ReceivedContent[],
    carryOut: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await carryOut();
    } catch (error) {
      await Promise.all(contents.map((content) => this.receiver.discard(content)));
      throw error;
    }
  }
}
