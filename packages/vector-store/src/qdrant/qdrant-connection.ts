import { QdrantClient } from '@qdrant/js-client-rest';

const DEFAULT_PORT = 6333;

/** Creates a client. The comments below explain each deviation from the client's defaults. */
export function connectQdrant(url: string, apiKey: string | undefined, timeoutMs: number): QdrantClient {
  const { protocol, hostname, pathname, port } = new URL(url);
  // `URL` drops the default port of its protocol: the client would use 6333 for an explicit ":443".
  const explicitPort = /^https?:\/\/[^/]*:(\d+)(\/|$)/.exec(url)?.[1];
  return new QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: Number(port || explicitPort || DEFAULT_PORT),
    ...(pathname !== '/' && { prefix: pathname.replace(/\/$/, '') }),
    timeout: timeoutMs,
    // The check requests the version in the background and logs to the console.
    checkCompatibility: false,
    headers: {
      // Compressed responses arrive in two TCP segments: each query would wait 40 ms for a delayed ACK.
      'accept-encoding': 'identity',
      // Passed as a header, because the client logs a warning if its `apiKey` option is used without TLS.
      'api-key': apiKey,
    },
  });
}
