import { CitewellError } from '@citewell/sdk';
import { fetchWithSession } from './client.js';

const NETWORK = 'The server cannot be reached.';

interface ErrorBody {
  error?: string;
  message?: string;
  requestId?: string;
}

/** Sends a request for which the client of the SDK has no method. @throws CitewellError */
export async function callApi<Value>(method: string, path: string, json?: unknown): Promise<Value> {
  const headers = {
    'citewell-csrf': '1',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const init = { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) };
  let response: Response;
  try {
    response = await fetchWithSession(`/api${path}`, init);
  } catch (cause) {
    throw new CitewellError('NETWORK', NETWORK, { cause });
  }
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) return body as Value;
  const { error = 'INVALID_RESPONSE', message = response.statusText, requestId = null } = body as ErrorBody;
  throw new CitewellError(error, message, { status: response.status, requestId });
}
