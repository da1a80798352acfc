import { ENGLISH_FILES, fill } from '@citewell/contracts/file-sentences';
import {
  type BatchItemResult,
  type CreateDatasource,
  type Datasource,
  type DatasourceBatch,
  type DatasourceItem,
  fileNameSchema,
  type UpdateText,
  type UpsertTexts,
} from '@citewell/contracts/schemas';
import {
  type DatasourceEntity,
  DatasourceRepository,
  DatastoreRepository,
  type NewDatasource,
  type TenantScope,
  type WrittenView,
} from '@citewell/database';
import { extensionOf } from '@citewell/documents/file-type';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, found, invalid, notFound } from '../../http/api-error.js';
import { drainBody } from '../../http/body-parsers.js';
import { hashOf, IdempotencyService } from '../../http/idempotency.service.js';
import { type Exchange, parseStrictly } from '../../http/request-input.js';
import { toApiError } from '../../http/to-api-error.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';
import { parseItems, toNewDatasource } from './datasource-items.js';
import { toDatasource } from './datasource.mapper.js';
import { SourceAdmission } from './source-admission.js';
import { withoutSecretValues } from './source-secrets.js';
import { readUpload, type Upload } from './upload.js';

const ROUTE = 'POST /datasources';
const BATCH_ROUTE = 'POST /datasources/batch';
const FIRST_SERVER_ERROR = 500;

/** A datasource, or why it was refused. */
type Written = Datasource | ApiError;

/** Creates datasources of every type, and replaces their contents. */
@Injectable()
export class DatasourceCreationService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
    @Inject(SourceAdmission) private readonly sources: SourceAdmission,
  ) {}

  /** Creates a web page, a web site or a text from a JSON body. */
  async create(tenant: TenantScope, body: CreateDatasource, idempotencyKey?: string): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, idempotencyKey, async () => ({
      hash: () => hashOf(withoutSecretValues(body)),
      execute: async () => {
        await this.assertDatastore(tenant, body.datastoreId);
        return onlyResult(await this.writeItems(tenant, body.datastoreId, [body]));
      },
    }));
  }

  /** Creates web pages, web sites and texts. An item that is invalid is refused alone. */
  async createBatch(
    tenant: TenantScope,
    batch: { datastoreId: string; items: readonly unknown[] },
    idempotencyKey?: string,
  ): Promise<DatasourceBatch> {
    return this.idempotency.once(tenant, BATCH_ROUTE, idempotencyKey, async () => ({
      hash: () => hashOf({ ...batch, items: batch.items.map(withoutSecretValues) }),
      execute: async () => {
        await this.assertDatastore(tenant, batch.datastoreId);
        const parsed = await parseItems(batch.items);
        const items = parsed.flatMap((item) => (item instanceof ApiError ? [] : item));
        const written = (await this.writeItems(tenant, batch.datastoreId, items)).values();
        const results = parsed.map((item) => (item instanceof ApiError ? item : written.next().value));
        return { items: results.map((result) => toBatchItem(found(result, 'datasource'))) };
      },
    }));
  }

  /**
   * Creates a file from a multipart body.
   *
   * @param options.datastoreId from the path; when absent, the form must have a field of this name
   */
  async upload(
    tenant: TenantScope,
    exchange: Exchange,
    options: { idempotencyKey?: string | undefined; datastoreId?: string },
  ): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, options.idempotencyKey, async () => {
      const upload = await this.readUpload(tenant, exchange);
      const { fields, content, partFileName, mimeType } = upload;
      const datastoreId = options.datastoreId ?? fields.datastoreId;
      if (datastoreId === undefined) {
        await this.receiver.discard(content);
        throw invalid('datastoreId', 'is required');
      }
      return {
        // The key `partName` stays: stored hashes depend on it.
        hash: () => hashOf({ fields, datastoreId, partFileName, mimeType, sha256: content.sha256 }),
        discard: () => this.receiver.discard(content),
        execute: () =>
          this.receiver.discardOnError([content], () => this.createFile(tenant, upload, datastoreId)),
      };
    });
  }

  /** Replaces the bytes and the name of a file. It keeps its id, its custom id and its metadata. */
  async replaceFile(tenant: TenantScope, id: string, exchange: Exchange): Promise<Datasource> {
    try {
      assertReplaceable(found(await this.datasources.find(tenant, id), 'datasource').datasource);
    } catch (error) {
      drainBody(exchange.request.raw);
      throw error;
    }
    const upload = await this.readUpload(tenant, exchange, id);
    return this.receiver.discardOnError([upload.content], async () =>
      this.writeFile(tenant, id, { ...(await this.nameAndType(upload)), content: upload.content }),
    );
  }

  /** Replaces the content of a file or text. The datasource keeps its type. */
  async updateText(tenant: TenantScope, datastoreId: string, body: UpdateText): Promise<{ id: string }> {
    await this.assertDatastore(tenant, datastoreId);
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
  async upsertTexts(
    tenant: TenantScope,
    datastoreId: string,
    { documents }: UpsertTexts,
  ): Promise<{ ids: string[] }> {
    await this.assertDatastore(tenant, datastoreId);
    const items = documents.map((document) => ({ type: 'text' as const, ...document }));
    const written = await this.writeItems(tenant, datastoreId, items, { isAllOrNone: true });
    return { ids: written.map((result) => onlyResult([result]).id) };
  }

  private async createFile(
    tenant: TenantScope,
    upload: Upload<ReceivedContent>,
    datastoreId: string,
  ): Promise<Datasource> {
    const { fields, content } = upload;
    await this.assertDatastore(tenant, datastoreId);
    const item = {
      id: content.datasourceId,
      datastoreId,
      type: 'file',
      ...(await this.nameAndType(upload)),
      customId: fields.custom_id ?? null,
      config: fields.encoding === undefined ? {} : { encoding: fields.encoding },
      metadata: fields.metadata ?? null,
      content,
      isUpsert: fields.upsert === 'true',
      refusesDuplicate: fields.duplicates === 'refuse' && fields.upsert !== 'true',
    } as const;
    return onlyResult(await this.write(tenant, [item]));
  }

  private async nameAndType({ fields, content, partFileName, mimeType }: Upload<ReceivedContent>) {
    const name = fields.fileName || nameOf(partFileName);
    const type = await this.receiver.typeOf(content, {
      // Without an extension (browsers send `blob`) it does not tell the type; the `fileName` field may.
      fileName: extensionOf(partFileName) === '' ? name : partFileName,
      mimeType,
    });
    return { name, mimeType: type };
  }

  private async readUpload(
    tenant: TenantScope,
    exchange: Exchange,
    datasourceId?: string,
  ): Promise<Upload<ReceivedContent>> {
    return readUpload(
      exchange,
      (bytes) => this.receiver.receive(tenant, bytes, datasourceId),
      (content) => this.receiver.discard(content),
    );
  }

  /**
   * Stores the texts of items, and writes their datasources. An item that is refused is refused alone.
   *
   * @param options.isAllOrNone throws the error of an item that is refused before anything is written
   * @returns datasources and errors in the order of the items
   * @throws an error of the server; then nothing is written
   */
  private async writeItems(
    tenant: TenantScope,
    datastoreId: string,
    items: readonly DatasourceItem[],
    { isAllOrNone = false }: { isAllOrNone?: boolean } = {},
  ): Promise<Written[]> {
    let sources = 0;
    const prepared = await Promise.all(
      items.map((item) => {
        const earlier = sources;
        if (item.type === 'source') sources += 1;
        return this.prepare(tenant, datastoreId, item, earlier);
      }),
    );
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
  private async write(tenant: TenantScope, items: readonly NewDatasource[]): Promise<Written[]> {
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
  private async writeFile(
    tenant: TenantScope,
    id: string,
    item: Pick<NewDatasource, 'name' | 'mimeType'> & { content: ReceivedContent },
  ): Promise<Datasource> {
    const result = found(await this.datasources.replaceFile(tenant, id, item), 'file');
    if (!isUsed(result)) await this.receiver.discard(item.content);
    return onlyResult([writtenOf(result, true)]);
  }

  /** @param earlier sources before the item in the same request */
  private async prepare(
    tenant: TenantScope,
    datastoreId: string,
    item: DatasourceItem,
    earlier: number,
  ): Promise<NewDatasource | ApiError> {
    try {
      if (item.type === 'text') this.receiver.assertSize(item.text);
      const prepared = toNewDatasource(datastoreId, item);
      if (item.type !== 'source') return prepared;
      const { config, secrets } = item;
      const place = { datastoreId, customId: prepared.customId, earlier };
      return { ...prepared, ...(await this.sources.admit(tenant, { config, secrets, ...place })) };
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status >= FIRST_SERVER_ERROR) throw thrown;
      return error;
    }
  }

  private async assertDatastore(tenant: TenantScope, id: string): Promise<void> {
    found(await this.datastores.find(tenant, id), 'datastore');
  }
}

function toBatchItem(result: Datasource | ApiError): BatchItemResult {
  if (result instanceof ApiError) {
    const { code, message, details } = result;
    return { error: code, message, ...(details ? { details: [...details] } : {}) };
  }
  const { id, status, upsertOutcome } = result;
  return { id, status, ...(upsertOutcome ? { upsertOutcome } : {}) };
}

/** The name of a file whose form has no `fileName` field: the file name of its part. */
function nameOf(partFileName: string): string {
  return parseStrictly(z.object({ fileName: fileNameSchema }), { fileName: partFileName }).fileName || 'File';
}

/** @throws {@link ApiError} `CONFLICT` */
function assertReplaceable({ type, groupId }: Pick<DatasourceEntity, 'type' | 'groupId'>): void {
  if (type !== 'file') throw new ApiError('CONFLICT', 'The datasource is not a file.');
  if (groupId !== null)
    throw new ApiError(
      'CONFLICT',
      'The file belongs to an archive or a web site. Replace the archive instead.',
    );
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
function onlyResult([result]: readonly Written[]): Datasource {
  if (result instanceof ApiError) throw result;
  return found(result, 'datasource');
}
