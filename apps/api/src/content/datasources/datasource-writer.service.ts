import { ENGLISH_FILES, fill } from '@citewell/contracts/file-sentences';
import type { Datasource, DatasourceItem } from '@citewell/contracts/schemas';
import {
  type DatasourceEntity,
  DatasourceRepository,
  type NewDatasource,
  type TenantScope,
  type WrittenView,
} from '@citewell/database';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../../http/api-error.js';
import { toApiError } from '../../http/to-api-error.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';
import { toNewDatasource } from './datasource-items.js';
import { toDatasource } from './datasource.mapper.js';

type Written = Datasource | ApiError;

const FIRST_SERVER_ERROR = 500;

/** Writes datasources of one datastore: the last step of every way to create them. The datastore must exist. */
@Injectable()
export class DatasourceWriter {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  /**
   * Stores the texts of items, and writes their datasources. An item that is refused is refused alone.
   *
   * @param options.isAllOrNone throws the error of an item that is refused before anything is written
   * @returns datasources and errors in the order of the items
   * @throws an error of the server; then nothing is written
   */
  async writeItems(
    tenant: TenantScope,
    datastoreId: string,
    items: readonly DatasourceItem[],
    { isAllOrNone = false }: { isAllOrNone?: boolean } = {},
  ): Promise<Written[]> {
    const prepared = items.map((item) => this.prepare(datastoreId, item));
    const refused = prepared.find((item) => item instanceof ApiError);
    if (isAllOrNone && refused !== undefined) throw refused;
    const texts = items.flatMap((item, index) =>
      item.type === 'text' && !(prepared[index] instanceof ApiError) ? item.text : [],
    );
    const contents = await this.receiver.receiveTexts(tenant, texts);
    const queue = contents.values();
    const accepted = prepared.flatMap((item) => {
      if (item instanceof ApiError) return [];
      const content = item.type === 'text' ? queue.next().value : undefined;
      return content === undefined ? item : { ...item, id: content.datasourceId, content };
    });
    const written = await this.receiver.discardOnError(contents, () => this.write(tenant, accepted));
    const results = written.values();
    return prepared.map((item) => {
      if (item instanceof ApiError) return item;
      return results.next().value ?? new ApiError('INTERNAL', 'The item was not written.');
    });
  }

  /** As {@link writeItems}, for datasources whose contents are stored. Contents that are not used are discarded. */
  async write(tenant: TenantScope, items: readonly NewDatasource[]): Promise<Written[]> {
    const results = await this.datasources.write(tenant, items);
    this.faults.reach('after-create');
    await this.receiver.discard(
      ...items.flatMap(({ content }, index) => (content === null || isUsed(results[index]) ? [] : content)),
    );
    return results.map((result, index) => writtenOf(result, items[index]?.isUpsert === true));
  }

  /**
   * Replaces a file whose new content is stored. The content is discarded if it is equal.
   *
   * @throws {@link ApiError} `NOT_FOUND` if there is no such file
   */
  async replaceFile(
    tenant: TenantScope,
    id: string,
    item: Pick<NewDatasource, 'name' | 'mimeType'> & { content: ReceivedContent },
  ): Promise<Datasource> {
    const result = found(await this.datasources.replaceFile(tenant, id, item), 'file');
    if (!isUsed(result)) await this.receiver.discard(item.content);
    return onlyResult([writtenOf(result, true)]);
  }

  private prepare(datastoreId: string, item: DatasourceItem): NewDatasource | ApiError {
    try {
      if (item.type === 'text') this.receiver.assertSize(item.text);
      return toNewDatasource(datastoreId, item);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status >= FIRST_SERVER_ERROR) throw thrown;
      return error;
    }
  }
}

/** Whether the content of an item is that of a datasource now. */
function isUsed(result: WrittenView | undefined): boolean {
  return result?.ok === true && result.outcome !== 'unchanged';
}

function writtenOf(result: WrittenView, isUpsert: boolean): Written {
  if (result.ok)
    return {
      // The datastore may have been deleted meanwhile.
      ...toDatasource(found(result.view, 'datasource')),
      ...(isUpsert ? { upsertOutcome: result.outcome } : {}),
    };
  switch (result.reason) {
    case 'several':
      return new ApiError('CONFLICT', 'Several datasources of this datastore have this custom id.');
    case 'other-type':
      return new ApiError('CONFLICT', 'The datasource with this custom id has another type.');
    case 'same-name':
    case 'same-content':
      return duplicate(result.reason, found(result.view, 'datasource').datasource);
  }
}

function duplicate(refused: 'same-name' | 'same-content', { id, name }: DatasourceEntity): ApiError {
  const reason = refused === 'same-name' ? 'SAME_NAME' : 'SAME_CONTENT';
  const message = refused === 'same-name' ? 'has the name of another file' : 'has the bytes of another file';
  return new ApiError('CONFLICT', fill(ENGLISH_FILES.duplicates[reason], { name }), {
    details: [{ path: 'file', message, reason, values: { datasourceId: id, name } }],
  });
}

/** The only result. @throws {@link ApiError} if it is an error */
export function onlyResult([result]: readonly Written[]): Datasource {
  if (result instanceof ApiError) throw result;
  return found(result, 'datasource');
}
