import { type SourceConfig, sourceSecretNames } from '@citewell/contracts/schemas';
import type { DatasourceEntity } from '@citewell/database';
import { SecretError, type SourceConnections } from '@citewell/infrastructure';
import { ApiError, invalid } from '../../http/api-error.js';

type Sealed = Record<string, string>;

/** @throws {@link ApiError} `INVALID_REQUEST` for a program that the operator does not allow */
export function requireProgram(config: SourceConfig, allowed: object): void {
  if (config.kind === 'program' && !Object.hasOwn(allowed, config.program))
    throw invalid('config.program', 'is not a program that the setting SOURCE_PROGRAMS names');
}

/** @throws {@link ApiError} `CONFLICT` if secrets cannot be stored */
export async function sealSecrets(
  connections: Pick<SourceConnections, 'seal'>,
  organizationId: string,
  config: SourceConfig,
  secrets: Readonly<Record<string, string>>,
): Promise<Sealed> {
  try {
    return await connections.seal(organizationId, config, secrets);
  } catch (error) {
    if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
    throw error;
  }
}

/**
 * The secrets of a source after an update.
 *
 * @param change.after its configuration after the update
 * @param change.isElsewhere whether this leads to another address or account
 * @param change.secrets null removes a secret
 * @throws {@link ApiError} `INVALID_REQUEST` for an unknown name, and if a stored secret would be sent elsewhere
 */
export async function changedSecrets(
  connections: Pick<SourceConnections, 'seal'>,
  { organizationId, sealedSecrets }: Pick<DatasourceEntity, 'organizationId' | 'sealedSecrets'>,
  {
    after,
    isElsewhere,
    secrets,
  }: { after: SourceConfig; isElsewhere: boolean; secrets: Readonly<Record<string, string | null>> },
): Promise<Sealed> {
  const known = sourceSecretNames(after);
  const unknown = Object.keys(secrets).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`secrets.${unknown}`, 'does not exist for this source');
  const kept = Object.entries(sealedSecrets ?? {}).filter(([name]) => !Object.hasOwn(secrets, name));
  const [missing] = kept[0] ?? [];
  if (isElsewhere && missing !== undefined)
    throw invalid(
      `secrets.${missing}`,
      'must be given again, because the source gets another address or account',
    );
  const given = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== null);
  const sealed = await sealSecrets(connections, organizationId, after, Object.fromEntries(given));
  return { ...Object.fromEntries(kept), ...sealed };
}

/** A body without the values of its secrets: what is stored to recognize a repeated request. */
export function withoutSecretValues(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('secrets' in body)) return body;
  return { ...body, secrets: Object.keys(body.secrets ?? {}) };
}
