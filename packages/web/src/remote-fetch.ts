import { globalAgent } from 'node:https';
import { assertNamedHost, isOffline } from './offline.js';
import type { Dispatcher, fetch as UndiciFetch, FormData as UndiciFormData } from 'undici';

type Undici = {
  fetch: typeof UndiciFetch;
  FormData: typeof UndiciFormData;
  dispatcher: Dispatcher;
};

/** The type of the global `fetch`. */
export type Fetch = (typeof globalThis)['fetch'];

let loading: Promise<Undici> | undefined;

/**
 * `fetch` for servers that decide what they send: model providers, model hubs, a Citewell service. Node's own `fetch`
 * must not be used for them. An answer without a length that arrives faster than it is read ends the whole process with
 * an assertion (nodejs/undici#5360), which nothing can catch. Limits of Node's `fetch` apply: 10 s to connect, 300 s for
 * the headers and between two pieces of a body. Offline, it calls the hosts that variables name, and follows no redirects. As in Node, the proxies of the environment are used with
 * `NODE_USE_ENV_PROXY=1`. For URLs of untrusted sources, use `GuardedHttpClient`.
 *
 * The types are those of the global `fetch`. The `Response` and its `Headers` are no instances of the global classes.
 */
export const remoteFetch: Fetch = async (input, init) => {
  if (!isOffline()) return fetchThrough(undefined, input, init);
  assertNamedHost(input instanceof Request ? input.url : input);
  return fetchThrough(undefined, input, {
    ...init,
    redirect: init?.redirect === 'manual' ? 'manual' : 'error',
  });
};

export { isOffline, offlineRefusalIn, restrictToHosts } from './offline.js';

/** @param own the connections to use instead of the shared ones */
export async function fetchThrough(
  own: Dispatcher | undefined,
  ...[input, init]: Parameters<Fetch>
): Promise<Response> {
  loading ??= loadUndici();
  const undici = await loading;
  const [url, options] = input instanceof Request ? await partsOf(input, init) : [input, init];
  const body = options?.body instanceof FormData ? copyForm(options.body, undici) : options?.body;
  const request = {
    ...options,
    ...(body === undefined ? {} : { body }),
    dispatcher: own ?? undici.dispatcher,
  };
  // Only the names of the types differ: undici declares the same standard anew.
  return undici.fetch(url, request as Parameters<typeof UndiciFetch>[1]) as unknown as Promise<Response>;
}

/** Loaded at the first request, because commands that send none should start quickly. */
async function loadUndici(): Promise<Undici> {
  const { Agent, EnvHttpProxyAgent, fetch, FormData } = await import('undici');
  // Node tells here whether it was started with NODE_USE_ENV_PROXY or --use-env-proxy.
  const ChosenAgent = globalAgent.options.proxyEnv === undefined ? Agent : EnvHttpProxyAgent;
  // HTTP/2 is no part of Node's `fetch` either.
  return { fetch, FormData, dispatcher: new ChosenAgent({ allowH2: false }) };
}

/** undici knows only its own `Request`. The body is read, so that the request has a length: some servers require it. */
async function partsOf(input: Request, init: RequestInit | undefined): Promise<[string, RequestInit]> {
  const request = new Request(input, init);
  const { url, method, headers, signal, redirect } = request;
  const body = request.body === null ? null : await request.arrayBuffer();
  return [url, { method, headers, signal, redirect, body }];
}

/** undici knows only its own `FormData`. Files are not copied. */
function copyForm(form: FormData, undici: Undici): FormData {
  const copy = new undici.FormData();
  for (const [name, value] of form) copy.append(name, value);
  return copy as unknown as FormData;
}

/** The address of a server without the slashes at its end. Linear in the length of the address, which a pattern is not. */
export function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
