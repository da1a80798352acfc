import type { Fetch } from './transport.js';
import type { OnUploadProgress } from './upload-progress.js';

/** The part of `XMLHttpRequest` that is used here. The SDK is compiled without the types of browsers. */
interface BrowserRequest {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}

declare const XMLHttpRequest: new () => BrowserRequest;

/** Whether the runtime is a browser, except for service workers. */
export function hasXhr(): boolean {
  return typeof XMLHttpRequest !== 'undefined';
}

/** A `fetch` that reports the progress of an upload. The `fetch` of browsers cannot. */
export function xhrFetch(onProgress: OnUploadProgress): Fetch {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise<BrowserRequest>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sentBytes: loaded, totalBytes: total });
      request.onload = () => resolve(request);
      request.onerror = request.onabort = () => reject(new TypeError('The upload failed.'));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body);
    }).then(toResponse);
}

function toResponse(request: BrowserRequest): Response {
  const headers = [...request.getAllResponseHeaders().matchAll(/^([^:\s]+): *(.*)$/gm)];
  return new Response(request.responseText || null, {
    status: request.status,
    headers: headers.map(([, name = '', value = '']): [string, string] => [name, value]),
  });
}
