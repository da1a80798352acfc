import { QdrantClient } from '@qdrant/js-client-rest';

const DEFAULT_PORT = 6333;

/** A client without its surprises; each is named below. */
export function connectQdrant(url: string, apiKey: string | undefined, timeoutMs: number): QdrantClient {
  const { protocol, hostname, pathname, port } = new URL(url);
  // URL drops a port that is its protocol's default, and the client then takes 6333 even if the URL said ":443".
  const named = /^https?:\/\/[^/]*:(\d+)(\/|$)/.exec(url)?.[1];
  return new QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: Number(port || named || DEFAULT_PORT),
    ...(pathname !== '/' && { prefix: pathname.replace(/\/$/, '') }),
    timeout: timeoutMs,
    // It would ask for the version in the background and write to the console.
    checkCompatibility: false,
    headers: {
      // Compressed answers come in two segments, and each query then waits 40 ms for a delayed acknowledgement.
      'accept-encoding': 'identity',
      // As its option, the client would warn on the console about a key over plain HTTP in a private network.
      'api-key': apiKey,
    },
  });
}
