import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../../client/api-client.js';
import {
  Dependency,
  environmentOf,
  modelServer,
  postgresServer,
  qdrantServer,
  redisServer,
  s3Server,
} from '../../deployments/dependency.js';
import { createTemporaryDirectory } from '../../deployments/deployment.js';
import { SCALED_APPS, ScaledDeployment } from '../../deployments/scaled.deployment.js';

const QDRANT_BINARY = process.env['QDRANT_BINARY'];
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Two API processes and two workers of each kind, whose dependencies can fail. */
export class FaultyDeployment {
  private constructor(
    private readonly directory: Awaited<ReturnType<typeof createTemporaryDirectory>>,
    readonly dependencies: Readonly<Record<'postgres' | 'redis' | 's3' | 'qdrant' | 'model', Dependency>>,
    readonly scaled: ScaledDeployment,
    /** One for each API process. */
    readonly apis: readonly ApiClient[],
    /** Has the offset in seconds of the clocks that jump. Null without libfaketime. */
    readonly clockFile: string | null,
  ) {}

  static async start(): Promise<FaultyDeployment> {
    const directory = await createTemporaryDirectory();
    const { path } = directory;
    const dependencies = {
      postgres: await Dependency.create('postgres', path, postgresServer, 1_500),
      redis: await Dependency.create('redis', path, redisServer, 128),
      s3: await Dependency.create('s3', path, s3Server, 512),
      qdrant: await Dependency.create('qdrant', path, qdrantServer(QDRANT_BINARY), 1_000),
      model: await Dependency.create('model', path, modelServer, 1),
    };
    const scaled = await ScaledDeployment.start({
      ...environmentOf(dependencies),
      QDRANT_URL: dependencies.qdrant.url,
      OPENAI_BASE_URL: dependencies.model.url,
      OPENAI_API_KEY: 'scripted',
      CHAT_MODEL: 'test-chat',
      CHAT_IDLE_TIMEOUT_MS: '15000',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      CRAWL_DELAY_MS: '200',
      CRAWL_CONCURRENCY_PER_HOST: '2',
      RATE_LIMIT_PER_MINUTE: '0',
    });
    const second = await scaled.startAnotherApi();
    const apis = [scaled.baseUrl, `${second.origin}/api`].map((url) => new ApiClient(url, scaled.apiKey));
    const clockFile = existsSync(FAKETIME) ? join(path, 'clock') : null;
    if (clockFile !== null) await writeFile(clockFile, '+0');
    for (const app of SCALED_APPS)
      if (app !== 'api') await scaled.startAnother(app, clockFile === null ? {} : jumping(clockFile));
    return new FaultyDeployment(directory, dependencies, scaled, apis, clockFile);
  }

  /** Whether Qdrant keeps its data when it is killed. */
  get hasQdrant(): boolean {
    return QDRANT_BINARY !== undefined;
  }

  /** @param options.keepFiles keeps the logs of the processes */
  async stop(options: { keepFiles: boolean }): Promise<void> {
    await this.scaled.stop(options);
    for (const dependency of Object.values(this.dependencies)) await dependency.stop();
    await this.directory.remove();
  }
}

function jumping(clockFile: string): Record<string, string> {
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    // Timers are those of a machine whose clock was set.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
