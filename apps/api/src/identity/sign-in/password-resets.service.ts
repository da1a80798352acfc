import type { Config } from '@citewell/config';
import { LANGUAGES, type Language } from '@citewell/contracts/messages';
import type { RequestPasswordReset } from '@citewell/contracts/schemas';
import { AccountRepository, describeKey, generateKey, PasswordResetRepository } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import { composeMail } from '../mail/compose-mail.js';
import { LinkLimiter } from '../mail/link-limiter.js';
import { Mailer } from '../mail/mailer.service.js';

const LIFETIME_MS = 60 * 60_000;

/** Sends links with which people choose a new password. */
@Injectable()
export class PasswordResetsService {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(PasswordResetRepository) private readonly resets: PasswordResetRepository,
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(LinkLimiter) private readonly limiter: LinkLimiter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Whether people can ask for a link. */
  get isOffered(): boolean {
    return this.mailer.isConfigured;
  }

  /**
   * Returns before the account is looked up, so that neither the answer nor its time tells whether there is one.
   *
   * @param address of the client
   * @throws {@link ApiError} `FORBIDDEN` if the server sends no mails; `RATE_LIMIT`
   */
  request({ email, language }: RequestPasswordReset, address: string): void {
    if (!this.isOffered)
      throw new ApiError('FORBIDDEN', 'This server sends no e-mail. Ask an owner for a new link.');
    this.limiter.count(clientNetwork(address), email);
    setImmediate(() => {
      this.sendLink(email, language ?? 'en').catch((error: unknown) =>
        this.logger.warn({ err: error }, 'a link to reset a password was not created'),
      );
    });
  }

  private async sendLink(email: string, requested: Language): Promise<void> {
    const account = await this.accounts.withEmail(email);
    if (account === null) return;
    // Nobody knows which of several unverified accounts is that of the mailbox: its owner gets a link for each.
    const accounts = account.email === null ? await this.accounts.allWithEmail(email) : [account];
    for (const { id } of accounts) await this.sendLinkOf(id, email, requested);
  }

  private async sendLinkOf(accountId: string, email: string, requested: Language): Promise<void> {
    const token = generateKey();
    const { hash } = describeKey(token);
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    if (!(await this.resets.create(accountId, { hash, expiresAt })).ok) return;
    const chosen = await this.accounts.language(accountId);
    // The configuration requires PUBLIC_URL. The address of the request may be one that an attacker has chosen.
    const { PUBLIC_URL: address = '' } = this.config;
    const { host } = new URL(address);
    const mail = composeMail('passwordReset', {
      language: LANGUAGES.find((known) => known === chosen) ?? requested,
      link: `${address}/#reset=${token}`,
      values: { email, host },
    });
    this.mailer.send({ ...mail, to: email });
  }
}
