import type { DueSession, IdentityProviderEntity } from '@citewell/database';
import { SecretError, Secrets } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';

type Provider = Pick<IdentityProviderEntity, 'id' | 'organizationId'>;

/** The tokens of a session that began at a provider. */
export interface ProviderTokens {
  /** Undefined unless the provider grants `offline_access`. */
  refreshToken?: string | undefined;
  /** Tells the provider who signs out. */
  idToken?: string | undefined;
}

/** Encrypts the secrets of clients, and the tokens of sessions. */
@Injectable()
export class ProviderSecrets {
  constructor(@Inject(Secrets) private readonly secrets: Secrets) {}

  /** @throws {@link ApiError} `CONFLICT` if a secret cannot be stored */
  async sealClientSecret(provider: Provider, secret: string): Promise<string> {
    try {
      return await this.secrets.seal(secret, purposeOf('client', provider));
    } catch (error) {
      if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
      throw error;
    }
  }

  /** @throws SecretError if the secret cannot be decrypted */
  openClientSecret(provider: Provider, sealed: string): Promise<string> {
    return this.secrets.open(sealed, purposeOf('client', provider));
  }

  sealTokens(provider: Provider, tokens: ProviderTokens): Promise<string> {
    return this.secrets.seal(JSON.stringify(tokens), purposeOf('tokens', provider));
  }

  /** @returns null if the tokens cannot be decrypted, for example after a restore without the key */
  async openTokens({
    providerId: id,
    organizationId,
    sealedTokens,
  }: DueSession): Promise<ProviderTokens | null> {
    try {
      const text = await this.secrets.open(sealedTokens, purposeOf('tokens', { id, organizationId }));
      // `sealTokens` has written it.
      return JSON.parse(text) as ProviderTokens;
    } catch (error) {
      if (error instanceof SecretError) return null;
      throw error;
    }
  }
}

function purposeOf(kind: 'client' | 'tokens', { organizationId, id }: Provider): string {
  return JSON.stringify(['identity provider', kind, organizationId, id]);
}
