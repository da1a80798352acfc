import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';

/** A node of a Qdrant cluster, which keeps its ports. */
export class QdrantNode {
  private running: RunningProcess | null = null;

  private constructor(
    private readonly binary: string,
    private readonly directory: string,
    private readonly ports: { readonly http: number; readonly grpc: number; readonly p2p: number },
    /** The node that this one joins; null for the first. */
    private readonly bootstrap: QdrantNode | null,
  ) {}

  static async create(binary: string, directory: string, bootstrap: QdrantNode | null): Promise<QdrantNode> {
    const ports = { http: await freePort(), grpc: await freePort(), p2p: await freePort() };
    return new QdrantNode(binary, join(directory, `node-${ports.http}`), ports, bootstrap);
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.http}`;
  }

  private get p2p(): string {
    return `http://127.0.0.1:${this.ports.p2p}`;
  }

  async start(): Promise<void> {
    const { http, grpc, p2p } = this.ports;
    const bootstrap = this.bootstrap === null ? [] : ['--bootstrap', this.bootstrap.p2p];
    this.running = RunningProcess.run(`qdrant ${http}`, this.binary, {
      args: ['--uri', this.p2p, ...bootstrap],
      env: {
        QDRANT__CLUSTER__ENABLED: 'true',
        QDRANT__CLUSTER__P2P__PORT: `${p2p}`,
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: `${http}`,
        QDRANT__SERVICE__GRPC_PORT: `${grpc}`,
        QDRANT__STORAGE__STORAGE_PATH: join(this.directory, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(this.directory, 'snapshots'),
        QDRANT__TELEMETRY_DISABLED: 'true',
        QDRANT__LOG_LEVEL: 'WARN',
      },
    });
    for (;;) {
      if (!this.running.isRunning) throw new Error(`Qdrant ended:\n${this.running.output.slice(-4_000)}`);
      const ready = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => null,
      );
      if (ready?.ok) return;
      await sleep(100);
    }
  }

  async kill(): Promise<void> {
    await this.running?.kill();
  }

  pause(): void {
    process.kill(this.running?.pid ?? NaN, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.running?.pid ?? NaN, 'SIGCONT');
  }

  /** Starts an empty node in its place, which joins the cluster as a new one. */
  async startEmpty(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    await this.start();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }
}
