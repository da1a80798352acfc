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

/** A web site or a ZIP archive, which consists of other datasources. */
export function isGroup({ type, mimeType }: Pick<Datasource, 'type' | 'mimeType'>): boolean {
  return type === 'web_site' || mimeType === ARCHIVE_TYPE;
}
