import type { UpdateText, UpsertTexts } from '@citewell/contracts/schemas';
import { DatasourceRepository, DatastoreRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound } from '../../http/api-error.js';
import { ContentReceiver } from './content-receiver.js';
import { DatasourceWriter, onlyResult } from './datasource-writer.service.js';

/** Creates and replaces texts for the deprecated endpoints. */
@Injectable()
export class TextsService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(DatasourceWriter) private readonly writer: DatasourceWriter,
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
    const items = documents.map((document) => ({ type: 'text' as const, ...document }));
    const written = await this.writer.writeItems(tenant, datastoreId, items, { isAllOrNone: true });
    return { ids: written.map((result) => onlyResult([result]).id) };
  }
}
