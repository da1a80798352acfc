import type { QdrantClient } from '@qdrant/js-client-rest';
import { connectQdrant } from './qdrant-connection.js';

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
