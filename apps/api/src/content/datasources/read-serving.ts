import { BlobNotFoundError } from '@citewell/blob-store';
import type { DatasourceRepository, DatasourceView, TenantScope } from '@citewell/database';
import { found } from '../../http/api-error.js';

/**
 * Reads the content of a datasource. If its blobs are missing, another run may have started serving, and the blobs of
 * its predecessor may be purged: then the content is read once more.
 *
 * @throws ApiError `NOT_FOUND`, BlobNotFoundError, what `read` throws
 */
export async function readServing<Result>(
  datasources: Pick<DatasourceRepository, 'find'>,
  { tenant, id }: { readonly tenant: TenantScope; readonly id: string },
  read: (view: DatasourceView) => Promise<Result>,
): Promise<Result> {
  const view = async (): Promise<DatasourceView> => found(await datasources.find(tenant, id), 'datasource');
  const first = await view();
  try {
    return await read(first);
  } catch (error) {
    if (!(error instanceof BlobNotFoundError)) throw error;
    return read(await view());
  }
}
