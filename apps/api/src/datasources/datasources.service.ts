import type { Readable } from 'node:stream';
import { BlobNotFoundError, type BlobStore } from '@citewell/blob-store';
import {
  type CreateDatasource,
  type Datasource,
  DATASOURCE_CONFIG_KEYS,
  type DatasourceText,
  fileNameSchema,
  MAX_NAME_LENGTH,
  type ListDatasources,
  type PageQuery,
  type RunItem,
  type TextQuery,
  type UpdateDatasource,
} from '@citewell/contracts/http';
import {
  DatasourceRepository,
  type DatasourceEntity,
  type DatasourceView,
  DatastoreRepository,
  type NewDatasource,
  runBlobKey,
  newId,
  RunLifecycleRepository,
  SiteRepository,
  type TenantScope,
} from '@citewell/database';
import { extensionOf } from '@citewell/documents/file-type';
import { BLOB_STORE } from '@citewell/infrastructure';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError, found, invalid } from '../http/api-error.js';
import { hashOf, IdempotencyService } from '../http/idempotency.service.js';
import { parseInput } from '../http/validation.pipe.js';
import { ContentReceiver, type ReceivedContent } from './content-receiver.js';
import { toDatasource, toRunItem } from './datasource.mapper.js';
import { firstSyncAt } from './schedule.js';
import { readUpload, type Upload } from './upload.js';

const ROUTE = 'POST /datasources';
/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

@Injectable()
export class DatasourcesService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(SiteRepository) private readonly sites: SiteRepository,
    @Inject(ContentReceiver) private readonly receiver: ContentReceiver,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  /** A web page or a text, from a JSON body. */
  async create(tenant: TenantScope, body: CreateDatasource, idempotencyKey?: string): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, idempotencyKey, async () => ({
      hash: hashOf(body),
      carryOut: () =>
        body.type === 'text' ? this.createText(tenant, body) : this.createFromWeb(tenant, body),
    }));
  }

  /** A file, from a multipart body. @param datastoreId where the path names it; else a part does */
  async upload(
    tenant: TenantScope,
    request: FastifyRequest,
    options: { idempotencyKey?: string | undefined; datastoreId?: string },
  ): Promise<Datasource> {
    return this.idempotency.once(tenant, ROUTE, options.idempotencyKey, async () => {
      const upload = await this.readUpload(tenant, request);
      const { fields, content, partName, mimeType } = upload;
      const datastoreId = options.datastoreId ?? fields.datastoreId;
      if (datastoreId === undefined) {
        await this.receiver.discard(content);
        throw invalid('datastoreId', 'is required');
      }
      return {
        hash: hashOf({ fields, datastoreId, partName, mimeType, sha256: content.sha256 }),
        discard: () => this.receiver.discard(content),
        carryOut: () => this.keeping(content, () => this.createFile(tenant, upload, datastoreId)),
      };
    });
  }

  async list(tenant: TenantScope, { limit, cursor, ...filter }: ListDatasources): Promise<Datasource[]> {
    return (await this.datasources.list(tenant, filter, { limit, cursor })).map(toDatasource);
  }

  async get(tenant: TenantScope, id: string): Promise<Datasource> {
    return toDatasource(await this.view(tenant, id));
  }

  async update(
    tenant: TenantScope,
    id: string,
    { name, customId, config }: UpdateDatasource,
  ): Promise<Datasource> {
    const { datasource } = await this.view(tenant, id);
    const changed = config ? given(config) : null;
    const keys = DATASOURCE_CONFIG_KEYS[datasource.type];
    const foreign = Object.keys(changed ?? {}).find((key) => !keys.includes(key));
    if (foreign !== undefined)
      throw invalid(`config.${foreign}`, `is nothing that a datasource of type ${datasource.type} has`);
    if (changed && datasource.groupId !== null)
      throw invalid('config', 'belongs to the site that the page is of; change that one');
    const merged = changed && given({ ...datasource.config, ...changed }, null);
    if (merged && !hasAddress(datasource.type, merged)) throw invalid('config.source_url', 'is required');
    const view = await this.datasources.update(tenant, id, {
      ...nameAfter(datasource, name, merged),
      ...(customId === undefined ? {} : { customId: customId === '' ? null : customId }),
      ...(merged ? { config: merged } : {}),
      ...(changed && 'schedule' in changed ? { nextSyncAt: firstSyncAt(changed.schedule, id) } : {}),
    });
    if (Object.keys(changed ?? {}).some((key) => key !== 'schedule'))
      await this.datasources.syncOnceMore(tenant, id);
    return toDatasource(found(view, 'datasource'));
  }

  async remove(tenant: TenantScope, id: string): Promise<Datasource> {
    return toDatasource(found(await this.datasources.markDeleted(tenant, id), 'datasource'));
  }

  async sync(tenant: TenantScope, id: string): Promise<Datasource> {
    return toDatasource(found(await this.datasources.sync(tenant, id), 'datasource'));
  }

  async cancel(tenant: TenantScope, id: string): Promise<Datasource> {
    const { datasource } = await this.view(tenant, id);
    // What was asked for while the run was under way is not wanted any more either.
    await this.datasources.update(tenant, id, { syncAsked: false });
    await this.lifecycle.cancel(datasource.organizationId, datasource.id);
    if (datasource.type === 'web_site')
      await this.sites.cancelPages(datasource.organizationId, datasource.id);
    return this.get(tenant, id);
  }

  async runs(tenant: TenantScope, id: string, page: PageQuery): Promise<RunItem[]> {
    await this.view(tenant, id);
    return (await this.datasources.runs(tenant, id, page)).map(toRunItem);
  }

  /** A slice of the canonical text of the revision that serves. */
  async text(tenant: TenantScope, id: string, query: TextQuery): Promise<DatasourceText> {
    return this.reading(tenant, id, (view) => this.readText(view, query));
  }

  private async readText({ datasource, serving }: DatasourceView, query: TextQuery): Promise<DatasourceText> {
    if (datasource.type === 'web_site')
      throw new ApiError('NOT_FOUND', 'A web site has no text of its own; its pages have.');
    if (!serving?.revision) throw new ApiError('NOT_FOUND', 'The datasource has no text yet.');
    const { revision = serving.revision } = query;
    if (revision > serving.revision) throw new ApiError('NOT_FOUND', 'There is no such revision.');
    if (revision < serving.revision) throw new ApiError('GONE', 'That revision is no longer kept.');
    const length = serving.characters;
    const start = Math.min(query.start ?? 0, length);
    const end = Math.min(query.end ?? length, length);
    if (end < start) throw invalid('end', 'must not be less than start');
    const slice = await this.blobStore.read(runBlobKey(serving, 'text'), {
      start: start * BYTES_PER_CHARACTER,
      end: end * BYTES_PER_CHARACTER,
    });
    return { revision, length, text: slice.toString('utf16le') };
  }

  /** The original bytes, as they came. */
  async file(tenant: TenantScope, id: string): Promise<{ stream: Readable; name: string; mimeType: string }> {
    return this.reading(tenant, id, async ({ datasource, serving }) => {
      const key = datasource.contentKey ?? serving?.contentKey;
      if (!key) throw new ApiError('NOT_FOUND', 'The datasource has no file.');
      const mimeType = datasource.mimeType ?? serving?.contentType ?? 'application/octet-stream';
      return { stream: await this.blobStore.open(key), name: datasource.name, mimeType };
    });
  }

  async view(tenant: TenantScope, id: string): Promise<DatasourceView> {
    return found(await this.datasources.find(tenant, id), 'datasource');
  }

  /** Reads a blob of a datasource; once more when another run came to serve and took the blob with it. */
  private async reading<Result>(
    tenant: TenantScope,
    id: string,
    read: (view: DatasourceView) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await read(await this.view(tenant, id));
    } catch (error) {
      if (!(error instanceof BlobNotFoundError)) throw error;
      return read(await this.view(tenant, id));
    }
  }

  private async createText(
    tenant: TenantScope,
    body: Extract<CreateDatasource, { type: 'text' }>,
  ): Promise<Datasource> {
    await this.assertDatastore(tenant, body.datastoreId);
    const content = await this.receiver.receiveText(tenant, body.text);
    return this.keeping(content, () =>
      this.insert(tenant, content, {
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
    return this.insert(tenant, null, {
      id,
      datastoreId: body.datastoreId,
      type: body.type,
      // A name that was given is checked; an address may be longer.
      name: body.name ?? addressNameOf(config),
      customId: customIdOf(body),
      metadata: body.metadata ?? null,
      mimeType: null,
      config: given(config),
      nextSyncAt: firstSyncAt(config.schedule, id),
    });
  }

  private async createFile(
    tenant: TenantScope,
    { fields, content, partName, mimeType }: Upload<ReceivedContent>,
    datastoreId: string,
  ): Promise<Datasource> {
    await this.assertDatastore(tenant, datastoreId);
    const name = fields.fileName || nameOf(partName);
    const type = await this.receiver.typeOf(content, {
      // The part's name is the file's own, unless it says nothing, as the `blob` of browsers.
      fileName: extensionOf(partName) === '' ? name : partName,
      mimeType,
    });
    return this.insert(tenant, content, {
      datastoreId,
      type: 'file',
      name,
      customId: fields.custom_id ?? null,
      metadata: null,
      mimeType: type,
    });
  }

  private async insert(
    tenant: TenantScope,
    content: ReceivedContent | null,
    fields: Omit<NewDatasource, 'content' | 'config'> & Partial<Pick<NewDatasource, 'config'>>,
  ): Promise<Datasource> {
    const [view] = await this.datasources.create(tenant, [
      {
        config: {},
        ...fields,
        ...(content ? { id: content.datasourceId } : {}),
        content,
      },
    ]);
    this.faults.reach('after-upload');
    return toDatasource(found(view ?? null, 'datasource'));
  }

  /** Carries something out that is to refer to received content, and discards the content if that fails. */
  private async keeping<Result>(content: ReceivedContent, carryOut: () => Promise<Result>): Promise<Result> {
    try {
      return await carryOut();
    } catch (error) {
      await this.receiver.discard(content);
      throw error;
    }
  }

  private async readUpload(tenant: TenantScope, request: FastifyRequest): Promise<Upload<ReceivedContent>> {
    return readUpload(
      request,
      (stream) => this.receiver.receive(tenant, stream),
      (content) => this.receiver.discard(content),
    );
  }

  private async assertDatastore(tenant: TenantScope, id: string): Promise<void> {
    found(await this.datastores.find(tenant, id), 'datastore');
  }
}

/** What was given, without the keys that were not: `undefined`; in an update null takes one out. */
function given(
  config: Record<string, unknown>,
  nothing: null | undefined = undefined,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== nothing));
}

/** Whether a web page or site still says where it is. */
function hasAddress(type: Datasource['type'], config: Record<string, unknown>): boolean {
  if (type === 'web_site') return 'source_url' in config || 'sitemap' in config;
  return type !== 'web_page' || 'source_url' in config;
}

/** `custom_id` is taken at the top level or inside `config`; empty counts as omitted. */
function customIdOf(body: CreateDatasource): string | null {
  return body.custom_id || body.config?.custom_id || null;
}

/** What a web source is called that nobody has named. */
function addressNameOf({ source_url, sitemap }: { source_url?: unknown; sitemap?: unknown }): string {
  const address = source_url ?? sitemap;
  return typeof address === 'string' ? address.slice(0, MAX_NAME_LENGTH) : '';
}

/** The name that is given; one that nobody has given goes with the address. */
function nameAfter(
  { name, config }: Pick<DatasourceEntity, 'name' | 'config'>,
  given: string | undefined,
  changed: Record<string, unknown> | null,
): { name?: string } {
  if (given !== undefined) return { name: given };
  const isOfAddress = changed !== null && name === addressNameOf(config);
  return isOfAddress && addressNameOf(changed) !== '' ? { name: addressNameOf(changed) } : {};
}

/** The part's own name, where no field names the file. */
function nameOf(partName: string): string {
  return parseInput(z.object({ fileName: fileNameSchema }), { fileName: partName }).fileName || 'File';
}
