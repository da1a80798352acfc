import type { Config } from '@citewell/config';
import type { Language } from '@citewell/contracts/messages';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../../http/api-error.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { composeMail } from '../mail/compose-mail.js';
import { Mailer } from '../mail/mailer.service.js';

/** Of an organization, so that nobody uses the server to write to many strangers. */
const PER_HOUR = 100;
/** Minutes, which the limiter counts as one. */
const PERIOD_MINUTES = 60;

interface Invitation {
  email: string;
  token: string;
  expiresAt: Date | null;
  language: Language;
  /** Name or e-mail of the person who invites; null for an API key. */
  inviter: string | null;
}

/** Sends the links of invitations by e-mail. */
@Injectable()
export class InvitationMails {
  private readonly limiter = new RateLimiter(PER_HOUR, () => performance.now() / PERIOD_MINUTES);

  constructor(
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** Counts a mail. @throws {@link ApiError} `CONFLICT` if the server sends no mails; `RATE_LIMIT` */
  take({ organizationId }: TenantScope): void {
    if (!this.mailer.isConfigured)
      throw new ApiError(
        'CONFLICT',
        'This server sends no e-mail. Invite without it, and send the link yourself.',
      );
    const wait = this.limiter.take(organizationId);
    if (wait === 0) return;
    const retryAfterSeconds = wait * PERIOD_MINUTES;
    throw new ApiError('RATE_LIMIT', 'Too many invitations were sent by e-mail. Try again later.', {
      retryAfterSeconds,
    });
  }

  async send(
    { organizationId }: TenantScope,
    { email, token, expiresAt, language, inviter }: Invitation,
  ): Promise<void> {
    const { name } = found(await this.organizations.find(organizationId), 'organization');
    // The configuration requires PUBLIC_URL with a mail server.
    const { PUBLIC_URL: address = '' } = this.config;
    const { host } = new URL(address);
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
      expiresAt ?? new Date(),
    );
    // The page of the dashboard behind the link shows them.
    const names = { email, organization: name, ...(inviter !== null && { inviter }) };
    const mail = composeMail(inviter === null ? 'invitation' : 'personalInvitation', {
      language,
      link: `${address}/#invite=${token}&${new URLSearchParams(names).toString()}`,
      values: { organization: name, host, date, ...(inviter !== null && { inviter }) },
    });
    this.mailer.send({ ...mail, to: email });
  }
}
