import {
  type DueSession,
  type IdentityProviderEntity,
  IdentityProviderRepository,
  ProviderSessionRepository,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../background/polling-loop.js';
import { ProviderClient } from './provider-client.service.js';
import { ProviderSecrets } from './provider-secrets.js';
import { CHECK_SECONDS, ProviderSignInService } from './provider-sign-in.service.js';
import { SignInFailure } from './provider-errors.js';

const POLL_MS = 5_000;
/** Sessions that one process checks at once. */
const BATCH = 20;
/** The refresh token is not valid any more: RFC 6749, section 5.2. */
const INVALID_GRANT = 'invalid_grant';
/** The scope of refresh tokens that outlast the session of a browser at the provider. */
const OFFLINE_ACCESS = 'offline_access';
/** Failures that say that the person may not be here any more. Others may be over soon. */
const FINAL = new Set<SignInFailure['reason']>(['not-invited', 'other-domain']);

/**
 * Ends the sessions of people who were removed at their provider. Every few minutes, a session with a refresh token
 * exchanges it, which the provider refuses for people who are not there any more. With the scope `offline_access`, their
 * tokens end, too. Sessions without a refresh token last until their end.
 */
@Injectable()
export class SessionCheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    @Inject(ProviderSessionRepository) private readonly sessions: ProviderSessionRepository,
    @Inject(IdentityProviderRepository) private readonly providers: IdentityProviderRepository,
    @Inject(ProviderSignInService) private readonly signIns: ProviderSignInService,
    @Inject(ProviderClient) private readonly client: ProviderClient,
    @Inject(ProviderSecrets) private readonly secrets: ProviderSecrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.loop = new PollingLoop(
      POLL_MS,
      () => this.checkDue(),
      (error) => logger.warn({ err: error }, 'checking sessions of providers failed and will be tried again'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns whether more sessions may be due */
  private async checkDue(): Promise<boolean> {
    const due = await this.sessions.claimDue(CHECK_SECONDS, BATCH);
    await Promise.all(due.map((session) => this.check(session)));
    return due.length === BATCH;
  }

  private async check(session: DueSession): Promise<void> {
    const provider = await this.providers.usable(session.providerId);
    const tokens = await this.secrets.openTokens(session);
    if (!provider || tokens?.refreshToken === undefined) return;
    try {
      const fresh = await this.signIns.refresh(provider, session.subject, tokens.refreshToken);
      const kept = {
        refreshToken: fresh.refresh_token ?? tokens.refreshToken,
        idToken: fresh.id_token ?? tokens.idToken,
      };
      await this.sessions.keepTokens(session.sessionId, await this.secrets.sealTokens(provider, kept));
    } catch (error) {
      await this.failed(provider, session, error);
    }
  }

  private async failed(provider: IdentityProviderEntity, session: DueSession, error: unknown): Promise<void> {
    const { ResponseBodyError } = await this.client.library;
    const cause = error instanceof SignInFailure ? error.cause : error;
    const isRevoked = cause instanceof ResponseBodyError && cause.error === INVALID_GRANT;
    const isFinal = error instanceof SignInFailure && FINAL.has(error.reason);
    // Other refresh tokens end with the session of a browser at the provider, also while the person is there.
    if (isRevoked && provider.scopes.split(' ').includes(OFFLINE_ACCESS))
      await this.signIns.withdraw(provider, session.subject);
    if (isRevoked || isFinal) await this.sessions.end(session.sessionId);
    this.logger.warn(
      { providerId: provider.id, err: cause, hasEnded: isRevoked || isFinal },
      'a person was not found at the identity provider',
    );
  }
}
