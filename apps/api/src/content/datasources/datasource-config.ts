import { type Datasource, MAX_NAME_LENGTH } from '@citewell/contracts/schemas';

type DatasourceConfig = Record<string, unknown>;

/** The entries whose value is not `undefined`. */
export function definedEntries(config: DatasourceConfig): DatasourceConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** Applies an update to a configuration. Absent keys keep their value; `null` removes a key. */
export function mergeConfig(config: DatasourceConfig, changes: DatasourceConfig): DatasourceConfig {
  const merged = Object.entries({ ...config, ...definedEntries(changes) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** Whether a configuration has the URL that its type needs. Files and texts need none. */
export function hasRequiredUrl(type: Datasource['type'], config: DatasourceConfig): boolean {
  switch (type) {
    case 'web_site':
      return 'source_url' in config || 'sitemap' in config;
    case 'web_page':
      return 'source_url' in config;
    case 'file':
    case 'text':
    case 'source':
      return true;
  }
}

/**
 * The default name of a web page or site: its URL, or that of its sitemap, truncated. Empty without a URL.
 */
export function nameFromUrl({ source_url, sitemap }: { source_url?: unknown; sitemap?: unknown }): string {
  const url = source_url ?? sitemap;
  return typeof url === 'string' ? url.slice(0, MAX_NAME_LENGTH) : '';
}
