import {
  type CheckSource,
  type SourceCheck,
  type SourceConfig,
  sourceConfigSchema,
  sourceConnection,
} from '@citewell/contracts/schemas';
import { DatasourceRepository, type TenantScope } from '@citewell/database';
import { SecretError, SourceConnections } from '@citewell/infrastructure';
import { openSource, PathFilter, type Source, type SourceContext, SourceError } from '@citewell/sources';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../../http/api-error.js';
import { KeyedCounter } from '../../http/rate-limiter.js';

const TIMEOUT_MS = 30_000;
/** After this time, a page of the inventory is the last one that is counted. */
const COUNTING_MS = 5_000;
const NAMED_DOCUMENTS = 10;
const RETRY_AFTER_SECONDS = 10;
/** Of one organization, in one process. */
const MAX_IN_PROGRESS = 2;

/** Tests a source before it is connected. */
@Injectable()
export class SourceCheckService {
  private readonly inProgress = new KeyedCounter();

  constructor(
    @Inject(DatasourceRepository) private readonly datasources: Pick<DatasourceRepository, 'find'>,
    @Inject(SourceConnections) private readonly connections: SourceConnections,
  ) {}

  /**
   * @throws {@link ApiError} `INVALID_REQUEST` with the sentence of the source if it cannot be read; `RATE_LIMIT` if the
   * organization has two checks in progress
   */
  async check(tenant: TenantScope, source: CheckSource): Promise<SourceCheck> {
    const { organizationId } = tenant;
    if (!this.inProgress.take(organizationId, MAX_IN_PROGRESS))
      throw new ApiError('RATE_LIMIT', 'Two checks are in progress. Wait until one of them has ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { config } = source;
    try {
      const opened = await openSource(config, await this.contextOf(tenant, source));
      try {
        const message = await opened.check(signal);
        return { message, ...(await countDocuments(opened, new PathFilter(config), signal)) };
      } finally {
        await opened.close();
      }
    } catch (error) {
      if (error instanceof SourceError || error instanceof SecretError) throw refused(error.message);
      if (signal.aborted) throw refused('The source did not answer in 30 seconds.');
      throw error;
    } finally {
      this.inProgress.release(organizationId);
    }
  }

  /** With the secrets that are given, and those of a stored source with the same connection. */
  private async contextOf(
    tenant: TenantScope,
    { config, secrets = {}, datasourceId }: CheckSource,
  ): Promise<SourceContext> {
    if (datasourceId !== undefined) {
      const { datasource } = found(await this.datasources.find(tenant, datasourceId), 'datasource');
      if (datasource.type === 'source' && isSameConnection(config, datasource.config)) {
        const stored = Object.entries(datasource.sealedSecrets ?? {});
        const left = Object.fromEntries(stored.filter(([name]) => !Object.hasOwn(secrets, name)));
        const context = await this.connections.contextOf({ ...datasource, sealedSecrets: left }, config);
        return { ...context, secrets: { ...context.secrets, ...secrets } };
      }
    }
    return this.connections.contextWith(secrets);
  }
}

function isSameConnection(config: SourceConfig, stored: unknown): boolean {
  return sourceConnection(config) === sourceConnection(sourceConfigSchema.parse(stored));
}

/**
 * Counts documents, and names some that are for all who read the library: who may read the others is not asked here. The
 * others count whatever the patterns are: else a pattern would tell whether one with a certain name exists.
 */
async function countDocuments(
  source: Source,
  filter: PathFilter,
  signal: AbortSignal,
): Promise<Omit<SourceCheck, 'message'>> {
  const endsAt = performance.now() + COUNTING_MS;
  const documents: SourceCheck['documents'] = [];
  let found = 0;
  let leftOut = 0;
  try {
    for await (const page of source.inventory(null, signal)) {
      for (const { path, bytes, modifiedAt, access } of page.documents) {
        if (access === 'library' && !filter.isWanted(path)) {
          leftOut += 1;
          continue;
        }
        found += 1;
        if (access === 'library' && documents.length < NAMED_DOCUMENTS)
          documents.push({ path, bytes, modifiedAt: modifiedAt?.toISOString() ?? null });
      }
      if (page.cursor === null) return { documents, found, leftOut, isComplete: true };
      if (performance.now() > endsAt) break;
    }
  } catch (error) {
    // The source has answered before. A large one lists its first page later.
    if (!signal.aborted) throw error;
  }
  return { documents, found, leftOut, isComplete: false };
}

function refused(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { details: [{ path: 'config', message }] });
}
