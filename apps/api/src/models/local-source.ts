import type { Config } from '@citewell/config';
import { ModelError, ModelNetworks, urlOfLocalModel } from '@citewell/models';
import { ApiError } from '../http/api-error.js';

/**
 * Checks the name of a local model, as in EMBEDDING_MODEL and RERANK_MODEL, and the address that it is downloaded from.
 *
 * @param path the field of the request that names the model
 * @throws {@link ApiError} `INVALID_REQUEST`
 */
export async function requireLocalSource(name: string, path: string, config: Config): Promise<void> {
  try {
    const url = urlOfLocalModel(name);
    if (url !== null) await new ModelNetworks(config.MODEL_NETWORKS).requirePermitted(url);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ApiError('INVALID_REQUEST', error.message, { details: [{ path, message: error.message }] });
  }
}
