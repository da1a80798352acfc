import { ProductClient } from '@citewell/testing/product';
import { API_KEY } from './standalone-process.js';

/** A client with one connection, so that its own overhead hardly affects measurements. */
export function benchClient(url: string, key = API_KEY): ProductClient {
  return new ProductClient(url, key, 1);
}
