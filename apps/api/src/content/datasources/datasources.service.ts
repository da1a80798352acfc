import {
  type Datasource,
  DATASOURCE_CONFIG_KEYS,
  type ListDatasources,
  type PageQuery,
  type RunItem,
  sourceConfigSchema,
  sourceConnection,
  type SyncDatasource,
  type UpdateDatasource,
} from '@citewell/contracts/schemas';
import {
  type DatasourceChange,
  type DatasourceEntity,
  DatasourceRepository,
  type DatasourceView,
  type ReindexStage,
  RunLifecycleRepository,
  GroupRunRepository,
  type TenantScope,
} from '@citewell/database';
import { SourceConnections, SPACES, type Spaces } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { found, invalid } from '../../http/api-error.js';
import { parseStrictly } from '../../http/request-input.js';
import { definedEntries, hasRequiredUrl, mergeConfig, nameFromUrl } from './datasource-config.js';
import { toDatasource, toRunItem } from './datasource.mapper.js';
import { firstSyncAt } from './schedule.js';
import { changedSecrets } from './source-secrets.js';

/** Reads, changes, syncs and deletes existing datasources. */
@Injectable()
export class DatasourcesService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(GroupRunRepository) private readonly groupRuns: GroupRunRepository,
    @Inject(SPACES) private readonly spaces: Spaces,
    @Inject(SourceConnections) private readonly connections: SourceConnections,
  ) {}

  async list(tenant: TenantScope, { limit, cursor, ...filter }: ListDatasources): Promise<Datasource[]> {
    return (await this.datasources.list(tenant, filter, { limit, cursor })).map(toDatasource);
  }

  async get(tenant: TenantScope, id: string): Promise<Datasource> {
    const view = await this.view(tenant, id);
    const pages = view.serving?.counts?.pageContents;
    return { ...toDatasource(view), ...(pages && { pages: [...pages] }) };
  }

  /**
   * Changes a datasource. A changed configuration takes effect with the next run. Another encoding starts a run, because
   * nothing else would: the bytes of a file do not change. So does another connection of a source, which replaces a run that
   * uses the former one. A paused datasource is not contacted: its run ends, and the end of the pause starts one.
   */
  async update(tenant: TenantScope, id: string, update: UpdateDatasource): Promise<Datasource> {
    let isRenamed = false;
    let isReconnected = false;
    let wasPaused = false;
    const view = await this.datasources.update(tenant, id, async (datasource) => {
      const change = changeOf(datasource, update);
      const reconnected = await this.reconnect(datasource, change, update);
      isReconnected = reconnected !== null;
      wasPaused = datasource.config['paused'] === true;
      const { name = datasource.name, customId = datasource.customId } = change;
      isRenamed = name !== datasource.name || customId !== datasource.customId;
      return { ...change, ...reconnected };
    });
    const { datasource } = found(view, 'datasource');
    // Names are part of the index.
    if (isRenamed) await this.datasources.reindex([datasource.id], this.reindexStage);
    const isPaused = datasource.config['paused'] === true;
    if (isPaused && !wasPaused) await this.cancel(tenant, datasource.id);
    else if (isReconnected) await this.lifecycle.cancel(tenant, datasource.id);
    const isContacted = !isPaused && (isReconnected || wasPaused);
    if (isContacted || update.config?.encoding !== undefined)
      await this.datasources.sync(tenant, datasource.id, 'sync');
    return this.get(tenant, datasource.id);
  }

  /** What an update changes of the connection of a source; null if it changes nothing there. */
  private async reconnect(
    datasource: DatasourceEntity,
    { config = datasource.config }: DatasourceChange,
    { secrets = {} }: UpdateDatasource,
  ): Promise<Pick<DatasourceChange, 'sealedSecrets'> | null> {
    if (datasource.type !== 'source') {
      if (Object.keys(secrets).length > 0) throw invalid('secrets', 'is only for sources');
      return null;
    }
    const after = sourceConfigSchema.parse(config);
    const isElsewhere =
      sourceConnection(after) !== sourceConnection(sourceConfigSchema.parse(datasource.config));
    if (!isElsewhere && Object.keys(secrets).length === 0) return null;
    return {
      sealedSecrets: await changedSecrets(this.connections, datasource, { after, isElsewhere, secrets }),
    };
  }

  private get reindexStage(): ReindexStage {
    return this.spaces.embedding || this.spaces.isPreparing ? 'embedding' : 'indexing';
  }

  async remove(tenant: TenantScope, id: string): Promise<Datasource> {
    return toDatasource(found(await this.datasources.markDeleted(tenant, id), 'datasource'));
  }

  async sync(
    tenant: TenantScope,
    id: string,
    { removeMissing = false }: SyncDatasource,
  ): Promise<Datasource> {
    if (removeMissing) {
      const { datasource } = await this.view(tenant, id);
      if (datasource.type !== 'web_site' && datasource.type !== 'source')
        throw invalid('removeMissing', 'is only for web sites and sources');
    }
    return toDatasource(
      found(await this.datasources.sync(tenant, id, 'sync', { removeMissing }), 'datasource'),
    );
  }

  /**
   * Ends the unfinished run, if there is one, and drops a sync that was requested to follow it. For a group,
   * also ends the runs of its pages or files.
   */
  async cancel(tenant: TenantScope, id: string): Promise<Datasource> {
    const { datasource } = await this.view(tenant, id);
    await this.datasources.update(tenant, id, () => ({ requestedSync: null }));
    await this.lifecycle.cancel(tenant, datasource.id);
    await this.groupRuns.cancelPages(tenant, datasource.id);
    return this.get(tenant, id);
  }

  async runs(tenant: TenantScope, id: string, page: PageQuery): Promise<RunItem[]> {
    await this.view(tenant, id);
    return (await this.datasources.runs(tenant, id, page)).map(toRunItem);
  }

  private async view(tenant: TenantScope, id: string): Promise<DatasourceView> {
    return found(await this.datasources.find(tenant, id), 'datasource');
  }
}

/** Fields that tell when a datasource is synched. They change nothing of a sync. */
const TIMING: readonly string[] = ['schedule', 'paused'];

/** What an update changes. @throws {@link ApiError} `INVALID_REQUEST` */
function changeOf(
  datasource: DatasourceEntity,
  { name, customId, config }: UpdateDatasource,
): DatasourceChange {
  const changes = config ? definedEntries(config) : null;
  assertConfigKeys(datasource, changes);
  const merged = changes && mergedConfig(datasource, changes);
  if (merged && !hasRequiredUrl(datasource.type, merged)) throw invalid('config.source_url', 'is required');
  return {
    ...renamed(datasource, name, merged),
    ...(customId === undefined ? {} : { customId: customId === '' ? null : customId }),
    ...(merged ? { config: merged, nextSyncAt: firstSyncAt(merged, datasource.id) } : {}),
    followsRun: Object.keys(changes ?? {}).some((key) => !TIMING.includes(key)),
  };
}

/** @throws {@link ApiError} if it is not valid for a source of its kind */
function mergedConfig(
  { type, config }: DatasourceEntity,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const merged = mergeConfig(config, changes);
  return type === 'source'
    ? parseStrictly(z.object({ config: sourceConfigSchema }), { config: merged }).config
    : merged;
}

/**
 * @throws {@link ApiError} when the datasource's type has no such key, or the datasource is a page of a web
 * site
 */
function assertConfigKeys(
  { type, groupId }: DatasourceEntity,
  changes: Record<string, unknown> | null,
): void {
  if (!changes) return;
  const unknownKey = Object.keys(changes).find((key) => !DATASOURCE_CONFIG_KEYS[type].includes(key));
  if (unknownKey !== undefined)
    throw invalid(`config.${unknownKey}`, `does not exist for datasources of type ${type}`);
  // A file of an archive has a configuration of its own.
  if (groupId !== null && type !== 'file')
    throw invalid('config', 'belongs to the web site of this page; change it there');
}

/**
 * The new name, if an update changes it: the given name, or the new URL when the current name is the old URL.
 *
 * @param newConfig null when the update leaves the configuration unchanged
 */
function renamed(
  { name, config }: Pick<DatasourceEntity, 'name' | 'config'>,
  givenName: string | undefined,
  newConfig: Record<string, unknown> | null,
): { name?: string } {
  if (givenName !== undefined) return { name: givenName };
  if (newConfig === null || name !== nameFromUrl(config)) return {};
  const newName = nameFromUrl(newConfig);
  return newName === '' ? {} : { name: newName };
}
