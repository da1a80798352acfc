import { describeKey, IdentityProviderRepository, ProviderSessionRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ProviderClient } from './provider-client.service.js';
import { ProviderSecrets } from './provider-secrets.js';

/** Signs people out at the provider, too: OpenID Connect RP-Initiated Logout 1.0. */
@Injectable()
export class ProviderLogout {
  constructor(
    @Inject(IdentityProviderRepository) private readonly providers: IdentityProviderRepository,
    @Inject(ProviderSessionRepository) private readonly sessions: ProviderSessionRepository,
    @Inject(ProviderClient) private readonly client: ProviderClient,
    @Inject(ProviderSecrets) private readonly secrets: ProviderSecrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The address at which the provider ends its session.
   *
   * @param address of this service, to which the provider sends the browser back
   * @returns null if the session did not begin at a provider, or the provider has no such address
   */
  async addressFor(sessionToken: string, address: () => string): Promise<string | null> {
    const session = await this.sessions.ofSession(describeKey(sessionToken).hash);
    const provider = session && (await this.providers.usable(session.providerId));
    if (!session || !provider) return null;
    try {
      const configuration = await this.client.configurationOf(provider);
      if (typeof configuration.serverMetadata().end_session_endpoint !== 'string') return null;
      const tokens = await this.secrets.openTokens(session);
      const { buildEndSessionUrl } = await this.client.library;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${address()}/`,
        ...(tokens?.idToken === undefined ? {} : { id_token_hint: tokens.idToken }),
      }).href;
    } catch (error) {
      // The session here ends in any case.
      this.logger.warn({ providerId: provider.id, err: error }, 'sign-out at an identity provider failed');
      return null;
    }
  }
}
