import {
  type BatchItemResult,
  type CreateDatasource,
  type Datasource,
  type DatasourceBatch,
  fileNameSchema,
} from '@citewell/contracts/schemas';
import {
  type DatasourceEntity,
  DatasourceRepository,
  DatastoreRepository,
  type TenantScope,
} from '@citewell/database';
import { extensionOf } from '@citewell/documents/file-type';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, found, invalid } from '../../http/api-error.js';
import { drainBody } from '../../http/body-parsers.js';
import { hashOf, IdempotencyService } from '../../http/idempotency.service.js';
import { type Exchange, parseStrictly } from '../../http/request-input.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';
import { parseItems } from './datasource-items.js';
import { DatasourceWriter, onlyResult } from './datasource-writer.service.js';
import { readUpload, type Upload } from './upload.js';

const ROUTE = 'POST /datasources';
const BATCH_ROUTE = 'POST /datasources/batch';

/** Creates datasources of every type. */
@Injectable()
export class DatasourceCreationService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(DatasourceWriter) private readonly writer: DatasourceWriter,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  /** Creates a web page, a web site or a text from a JSON body. */
  async create(tenant: TenantScope, body: CreateDatasource, idempotencyKey?: string): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, idempotencyKey, async () => ({
      hash: () => hashOf(body),
      execute: async () => {
        await this.assertDatastore(tenant, body.datastoreId);
        return onlyResult(await this.writer.writeItems(tenant, body.datastoreId, [body]));
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
      hash: () => hashOf(batch),
      execute: async () => {
        await this.assertDatastore(tenant, batch.datastoreId);
        const parsed = await parseItems(batch.items);
        const items = parsed.flatMap((item) => (item instanceof ApiError ? [] : item));
        const written = (await this.writer.writeItems(tenant, batch.datastoreId, items)).values();
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
      this.writer.replaceFile(tenant, id, { ...(await this.nameAndType(upload)), content: upload.content }),
    );
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
      metadata: null,
      content,
      isUpsert: fields.upsert === 'true',
      refusesDuplicate: fields.duplicates === 'refuse' && fields.upsert !== 'true',
    } as const;
    return onlyResult(await this.writer.write(tenant, [item]));
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
