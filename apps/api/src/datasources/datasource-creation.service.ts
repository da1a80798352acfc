import { type CreateDatasource, type Datasource, fileNameSchema } from '@citewell/contracts/http';
import {
  DatasourceRepository,
  DatastoreRepository,
  type DatasourceView,
  type NewDatasource,
  newId,
  type TenantScope,
} from '@citewell/database';
import { extensionOf } from '@citewell/documents/file-type';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, found, invalid } from '../http/api-error.js';
import { hashOf, IdempotencyService } from '../http/idempotency.service.js';
import { type Exchange, parseStrictly } from '../http/request-input.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';
import { definedEntries, nameFromUrl } from './datasource-config.js';
import { toDatasource } from './datasource.mapper.js';
import { firstSyncAt } from './schedule.js';
import { readUpload, type Upload } from './upload.js';

const ROUTE = 'POST /datasources';

/** Creates datasources of every type. */
@Injectable()
export class DatasourceCreationService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  /** Creates a web page, a web site or a text from a JSON body. */
  async create(tenant: TenantScope, body: CreateDatasource, idempotencyKey?: string): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, idempotencyKey, async () => ({
      hash: () => hashOf(body),
      execute: () =>
        body.type === 'text' ? this.createText(tenant, body) : this.createFromWeb(tenant, body),
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

  private async createText(
    tenant: TenantScope,
    body: Extract<CreateDatasource, { type: 'text' }>,
  ): Promise<Datasource> {
    await this.assertDatastore(tenant, body.datastoreId);
    const content = await this.receiver.receiveText(tenant, body.text);
    return this.receiver.discardOnError([content], () =>
      this.store(tenant, content, body.upsert ?? false, {
        datastoreId: body.datastoreId,
        type: 'text',
        name: body.name ?? 'Text',
        customId: customIdOf(body),
        metadata: body.metadata ?? null,
        mimeType: 'text/plain',
      }),
    );
  }

  private async createFromWeb(
    tenant: TenantScope,
    body: Extract<CreateDatasource, { type: 'web_page' | 'web_site' }>,
  ): Promise<Datasource> {
    await this.assertDatastore(tenant, body.datastoreId);
    const { custom_id: _, ...config } = body.config;
    const id = newId();
    return this.store(tenant, null, body.upsert ?? false, {
      id,
      datastoreId: body.datastoreId,
      type: body.type,
      // The schema limits the length of a given name; the name taken from a URL is truncated.
      name: body.name ?? nameFromUrl(config),
      customId: customIdOf(body),
      metadata: body.metadata ?? null,
      mimeType: null,
      config: definedEntries(config),
      nextSyncAt: firstSyncAt(config.schedule, id),
    });
  }

  private async createFile(
    tenant: TenantScope,
    { fields, content, partFileName, mimeType }: Upload<ReceivedContent>,
    datastoreId: string,
  ): Promise<Datasource> {
    await this.assertDatastore(tenant, datastoreId);
    const name = fields.fileName || nameOf(partFileName);
    const type = await this.receiver.typeOf(content, {
      // Without an extension (browsers send `blob`) it does not tell the type; the `fileName` field may.
      fileName: extensionOf(partFileName) === '' ? name : partFileName,
      mimeType,
    });
    return this.store(tenant, content, fields.upsert === 'true', {
      datastoreId,
      type: 'file',
      name,
      customId: fields.custom_id ?? null,
      metadata: null,
      mimeType: type,
    });
  }

  private async store(
    tenant: TenantScope,
    content: ReceivedContent | null,
    isUpsert: boolean,
    fields: Omit<NewDatasource, 'content' | 'config'> & Partial<Pick<NewDatasource, 'config'>>,
  ): Promise<Datasource> {
    const item = { config: {}, ...fields, ...(content ? { id: content.datasourceId } : {}), content };
    const { view, upsertOutcome } = isUpsert
      ? await this.upsert(tenant, item)
      : { view: (await this.datasources.create(tenant, [item]))[0] ?? null, upsertOutcome: undefined };
    this.faults.reach('after-create');
    return { ...toDatasource(found(view, 'datasource')), ...(upsertOutcome ? { upsertOutcome } : {}) };
  }

  private async upsert(
    tenant: TenantScope,
    item: NewDatasource,
  ): Promise<{ view: DatasourceView | null } & Required<Pick<Datasource, 'upsertOutcome'>>> {
    const { customId, content } = item;
    if (customId === null) throw new Error('The schemas require custom_id with upsert');
    const { outcome, view } = await this.datasources.upsert(tenant, { ...item, customId });
    switch (outcome) {
      case 'several':
        throw new ApiError('CONFLICT', 'Several datasources of this datastore have this custom id.');
      case 'other-type':
        throw new ApiError('CONFLICT', 'The datasource with this custom id has another type.');
      case 'unchanged':
        if (content) await this.receiver.discard(content);
        break;
      case 'created':
      case 'replaced':
        break;
    }
    return { view, upsertOutcome: outcome };
  }

  private async readUpload(tenant: TenantScope, exchange: Exchange): Promise<Upload<ReceivedContent>> {
    return readUpload(
      exchange,
      (bytes) => this.receiver.receive(tenant, bytes),
      (content) => this.receiver.discard(content),
    );
  }

  private async assertDatastore(tenant: TenantScope, id: string): Promise<void> {
    found(await this.datastores.find(tenant, id), 'datastore');
  }
}

/** `custom_id` is accepted at the top level and inside `config`. An empty one counts as omitted. */
function customIdOf(body: CreateDatasource): string | null {
  return body.custom_id || body.config?.custom_id || null;
}

/** The name of a file whose form has no `fileName` field: the file name of its part. */
function nameOf(partFileName: string): string {
  return parseStrictly(z.object({ fileName: fileNameSchema }), { fileName: partFileName }).fileName || 'File';
}
