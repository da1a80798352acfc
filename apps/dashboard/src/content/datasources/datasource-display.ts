import type { Datasource } from '@citewell/sdk';

const ARCHIVE_TYPE = 'application/zip';

/** A run is in progress, or the first one has not started. */
export function isUnfinished({
  status,
  progress,
  error,
}: Pick<Datasource, 'status' | 'progress' | 'error'>): boolean {
  return progress !== null || status === 'running' || (status === 'unsynched' && error === null);
}

/** The place of a datasource in a list by status: failed ones first, complete ones last. */
export function urgencyOf(datasource: Pick<Datasource, 'status' | 'progress' | 'error'>): number {
  if (isUnfinished(datasource)) return 1;
  if (datasource.error === null) return 3;
  return datasource.status === 'synched' ? 2 : 0;
}

/** A web site, a source or a ZIP archive, which consists of other datasources. */
export function isGroup({ type, mimeType }: Pick<Datasource, 'type' | 'mimeType'>): boolean {
  return type === 'web_site' || type === 'source' || mimeType === ARCHIVE_TYPE;
}

type Named = Pick<Datasource, 'type' | 'name' | 'title' | 'config'>;

/** The address of a web page; null for other datasources. */
export function addressOf({ type, name, config }: Named): string | null {
  if (type !== 'web_page') return null;
  const address = config['source_url'];
  return typeof address === 'string' ? address : name;
}

/** The folder of a document of a source or an archive; null for those at the top, and for others. */
export function folderOf({ name, metadata }: Pick<Datasource, 'name' | 'metadata'>): string | null {
  const path = metadata?.['path'];
  return typeof path === 'string' && path.endsWith(`/${name}`) ? path.slice(0, -name.length - 1) : null;
}

/** A document that another one links to. */
interface LinkedDocument {
  readonly datasourceId: string;
  readonly name: string;
}

/** The documents of the same export that a document links to. */
export function linksOf({ metadata }: Pick<Datasource, 'metadata'>): LinkedDocument[] {
  const links = metadata?.['links'];
  if (!Array.isArray(links)) return [];
  // Metadata of other documents may have anything under this name.
  return links.filter(
    (link: Partial<LinkedDocument> | null): link is LinkedDocument =>
      typeof link?.datasourceId === 'string' && typeof link.name === 'string',
  );
}

/** What a datasource is called in lists: a web page that is named by its address has the title of the page. */
export function displayName(datasource: Named): string {
  const { name, title } = datasource;
  const address = addressOf(datasource);
  return address !== null && title !== null && (name === address || URL.canParse(name)) ? title : name;
}
