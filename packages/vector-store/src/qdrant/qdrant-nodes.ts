import { QdrantClient } from '@qdrant/js-client-rest';

const DEFAULT_QDRANT_PORT = 6333;

/** The nodes of a cluster. All requests go to one node, until a request to it fails: then to the next one. */
export class QdrantNodes {
  private readonly clients: readonly QdrantClient[];
  private index: number;

  /**
   * @param urls of nodes of one cluster, or of a balancer; at least one
   * @param start index of the first node. Default random, so that processes spread over the nodes.
   */
  constructor(
    urls: readonly string[],
    apiKey: string | undefined,
    timeoutMs: number,
    start = Math.floor(Math.random() * urls.length),
  ) {
    this.clients = urls.map((url) => connectQdrant(url, apiKey, timeoutMs));
    this.index = start;
  }

  get size(): number {
    return this.clients.length;
  }

  get current(): QdrantClient {
    const client = this.clients[this.index];
    if (client === undefined) throw new RangeError('a cluster has at least one node');
    return client;
  }

  /** Chooses the next node, unless a concurrent request has already done so. */
  leave(failed: QdrantClient): void {
    if (failed === this.current) this.index = (this.index + 1) % this.size;
  }
}

/** Creates a client. The comments below explain each deviation from the client's defaults. */
function connectQdrant(url: string, apiKey: string | undefined, timeoutMs: number): QdrantClient {
  const { protocol, hostname, pathname, port } = new URL(url);
  // `URL` drops the default port of its protocol: the client would use 6333 for an explicit ":443".
  const explicitPort = /^https?:\/\/[^/]*:(\d+)(\/|$)/.exec(url)?.[1];
  return new QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: Number(port || explicitPort || DEFAULT_QDRANT_PORT),
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
