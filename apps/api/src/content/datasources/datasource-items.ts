import { setImmediate } from 'node:timers/promises';
import {
  customIdIn,
  type DatasourceItem,
  datasourceItemSchema,
  MAX_NAME_LENGTH,
  type SourceConfig,
} from '@citewell/contracts/schemas';
import { type NewDatasource, newId } from '@citewell/database';
import { ApiError } from '../../http/api-error.js';
import { parseStrictly } from '../../http/request-input.js';
import { definedEntries, nameFromUrl } from './datasource-config.js';
import { firstSyncAt } from './schedule.js';

/** How often a source is synched if nobody says it. */
const DEFAULT_SOURCE_SCHEDULE = '*/15 * * * *';

/** Parses the items of a batch. @returns items and errors in their order */
export async function parseItems(items: readonly unknown[]): Promise<(DatasourceItem | ApiError)[]> {
  const parsed: (DatasourceItem | ApiError)[] = [];
  for (const item of items) {
    try {
      parsed.push(parseStrictly(datasourceItemSchema, item));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      parsed.push(error);
      // The sentence about a field takes a millisecond. Other requests have their turn in between.
      await setImmediate();
    }
  }
  return parsed;
}

/**
 * The datasource that an item describes, without the content of a text.
 *
 * @throws {@link ApiError} when its schedule is not a cron expression
 */
export function toNewDatasource(datastoreId: string, item: DatasourceItem): NewDatasource {
  const common = {
    datastoreId,
    type: item.type,
    customId: customIdOf(item),
    metadata: item.metadata ?? null,
    content: null,
    isUpsert: item.upsert ?? false,
  };
  if (item.type === 'text')
    return { ...common, name: item.name ?? 'Text', mimeType: 'text/plain', config: {} };
  const id = newId();
  if (item.type === 'source') {
    const { schedule = DEFAULT_SOURCE_SCHEDULE } = item.config;
    return {
      ...common,
      id,
      name: item.name ?? nameOfSource(item.config),
      mimeType: null,
      config: definedEntries({ ...item.config, schedule }),
      nextSyncAt: firstSyncAt({ ...item.config, schedule }, id),
    };
  }
  const { custom_id: _, ...config } = item.config;
  return {
    ...common,
    id,
    // The schema limits the length of a given name; the name taken from a URL is truncated.
    name: item.name ?? nameFromUrl(config),
    mimeType: null,
    config: definedEntries(config),
    nextSyncAt: firstSyncAt(config, id),
  };
}

/** The default name of a source: the last part of its address. */
function nameOfSource(config: SourceConfig): string {
  const address = addressOf(config);
  const name = address.split(/[\\/]/).findLast((part) => part !== '') ?? address;
  return name.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function addressOf(config: SourceConfig): string {
  switch (config.kind) {
    case 'folder':
      return config.folder;
    case 'storage':
      return config.path || (config.options?.['url'] ?? config.options?.['host'] ?? config.provider);
    case 'mailbox':
      return config.user.includes('@') ? config.user : `${config.user}@${config.host}`;
    case 'program':
      return config.program;
    case 'notion':
      return 'Notion';
    case 'feed':
    case 'repository':
      return config.url;
    case 'confluence':
      return new URL(config.url).hostname;
  }
}

/** `custom_id` is accepted at the top level and inside `config`. An empty one counts as omitted. */
function customIdOf({ custom_id, config }: DatasourceItem): string | null {
  return custom_id || customIdIn(config) || null;
}
