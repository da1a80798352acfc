import type { CustomFetch } from 'openid-client';

/** Discovery documents, key sets and tokens are far smaller. */
const MAX_BYTES = 1024 * 1024;

/** Statuses of responses that cannot have a body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Limits the size of the responses of providers, which are read as a whole. */
export function limitedFetch(fetcher: (typeof globalThis)['fetch']): CustomFetch {
  return async (url, { body, ...options }) => {
    const response = await fetcher(url, { ...options, ...(body === undefined ? {} : { body }) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // A body of undici is an async iterable, which the type of browsers does not say.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new TypeError('The response of the identity provider is too large');
      chunks.push(chunk);
    }
    const { status, headers } = response;
    return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), {
      status,
      headers: [...headers],
    });
  };
}
