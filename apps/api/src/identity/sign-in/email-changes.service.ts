import type { Config } from '@citewell/config';
import type { Language } from '@citewell/contracts/messages';
import { describeKey, generateKey, PersonRepository, type TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid, unwrap } from '../../http/api-error.js';
import { composeMail } from '../mail/compose-mail.js';
import { LinkLimiter } from '../mail/link-limiter.js';
import { Mailer } from '../mail/mailer.service.js';

const LIFETIME_MS = 60 * 60_000;
const PER_PERSON_AND_HOUR = 10;

/** Sends links with which people show that a new e-mail is theirs. */
@Injectable()
export class EmailChanges {
  private readonly limiter = new LinkLimiter(PER_PERSON_AND_HOUR);

  constructor(
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** Whether an e-mail changes only by a link. Without a mail server it changes at once, and stays unverified. */
  get areMailed(): boolean {
    return this.mailer.isConfigured;
  }

  /** Counts a change of an e-mail, whoever has the new one. @throws {@link ApiError} `RATE_LIMIT` */
  count(personId: string, email: string): void {
    this.limiter.count(personId, email);
  }

  /** Sends a link to an e-mail. Nobody looks whether somebody else has the e-mail. */
  async send(tenant: TenantScope, id: string, email: string, language: Language): Promise<void> {
    const token = generateKey();
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    await this.people.proposeEmail(tenant, id, { email, hash: describeKey(token).hash, expiresAt });
    // The configuration requires PUBLIC_URL with a mail server.
    const { PUBLIC_URL: address = '' } = this.config;
    const { host } = new URL(address);
    const link = `${address}/#email=${token}`;
    this.mailer.send({
      ...composeMail('emailChange', { language, link, values: { email, host } }),
      to: email,
    });
  }

  /**
   * Changes the e-mail to the one whose link was opened. Only the session of the person who asked can do it, so nobody gives
   * an account an e-mail by making its owner open a link.
   *
   * @throws {@link ApiError} `INVALID_REQUEST` for an unusable link; `CONFLICT` if somebody else has the e-mail, which only its
   * owner learns
   */
  async confirm(
    tenant: TenantScope,
    { id, sessionId }: { id: string; sessionId: string },
    token: string,
  ): Promise<void> {
    const { hash } = describeKey(token);
    unwrap(await this.people.confirmEmail(tenant, id, { hash, sessionId }), {
      unusable: () => invalid('emailToken', 'was used before, is too old, or is that of another person'),
      'email-taken': () => new ApiError('CONFLICT', 'Another account has this e-mail.'),
    });
  }
}
