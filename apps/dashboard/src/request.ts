import { client } from './client.js';

/** Sends a request for which the SDK has no method, as its methods do. @throws CitewellError */
export function request<Response>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  json?: unknown,
): Promise<Response> {
  // The field is private so that the interface of the SDK stays small, not because it may change.
  return client.session['transport'].json({ method, path, json });
}
