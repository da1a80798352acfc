import type { Config } from '@citewell/config';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { LinkLimiter } from './mail/link-limiter.js';
import { Mailer } from './mail/mailer.service.js';
import { GroupsController } from './people/groups.controller.js';
import { GroupsService } from './people/groups.service.js';
import { InvitationMails } from './people/invitation-mails.service.js';
import { PeopleController } from './people/people.controller.js';
import { PeopleService } from './people/people.service.js';
import { IdentityProvidersController } from './provider/identity-providers.controller.js';
import { IdentityProvidersService } from './provider/identity-providers.service.js';
import { ProviderClient } from './provider/provider-client.service.js';
import { ProviderLogout } from './provider/provider-logout.service.js';
import { ProviderSecrets } from './provider/provider-secrets.js';
import { ProviderSignInController } from './provider/provider-sign-in.controller.js';
import { ProviderSignInLimiter, ProviderSignInService } from './provider/provider-sign-in.service.js';
import { SessionCheck } from './provider/session-check.service.js';
import { ScimDiscoveryController } from './scim/scim-discovery.controller.js';
import { ScimGroupsController } from './scim/scim-groups.controller.js';
import { ScimUsersController } from './scim/scim-users.controller.js';
import { CredentialChecker } from './sign-in/credential-checker.service.js';
import { EmailChanges } from './sign-in/email-changes.service.js';
import { LinkRedeemer } from './sign-in/link-redeemer.service.js';
import { OwnSessionsController, ProfileController, TokensController } from './sign-in/profile.controller.js';
import { PasskeyCeremony, PasskeyChallengeLimiter } from './sign-in/passkey-ceremony.service.js';
import { PasskeysController } from './sign-in/passkeys.controller.js';
import { PasskeysService } from './sign-in/passkeys.service.js';
import { PasswordResetsController } from './sign-in/password-resets.controller.js';
import { PasswordResetsService } from './sign-in/password-resets.service.js';
import { ProfileService } from './sign-in/profile.service.js';
import { SessionsController } from './sign-in/sessions.controller.js';
import { SessionsService } from './sign-in/sessions.service.js';
import { SignInCodes } from './sign-in/sign-in-codes.js';
import { SignInLimiter } from './sign-in/sign-in-limiter.js';
import { TokensService } from './sign-in/tokens.service.js';

/** Requests of a link by mail from one network address. */
const PER_ADDRESS_AND_HOUR = 30;

/** Who somebody is: sign-in, people and groups, identity providers, SCIM. */
@Module({
  imports: [HttpModule],
  controllers: [
    GroupsController,
    PeopleController,
    IdentityProvidersController,
    ProviderSignInController,
    ScimDiscoveryController,
    ScimGroupsController,
    ScimUsersController,
    PasswordResetsController,
    SessionsController,
    OwnSessionsController,
    PasskeysController,
    ProfileController,
    TokensController,
  ],
  providers: [
    GroupsService,
    InvitationMails,
    PeopleService,
    IdentityProvidersService,
    ProviderClient,
    ProviderLogout,
    ProviderSecrets,
    ProviderSignInLimiter,
    ProviderSignInService,
    SessionCheck,
    PasswordResetsService,
    { provide: LinkLimiter, useFactory: () => new LinkLimiter(PER_ADDRESS_AND_HOUR) },
    CredentialChecker,
    EmailChanges,
    LinkRedeemer,
    PasskeyCeremony,
    PasskeysService,
    { provide: PasskeyChallengeLimiter, useFactory: () => new PasskeyChallengeLimiter() },
    ProfileService,
    SessionsService,
    SignInCodes,
    TokensService,
    { provide: SignInLimiter, useFactory: () => new SignInLimiter() },
    {
      provide: Mailer,
      useFactory: (config: Config, logger: Logger) => new Mailer(config, logger),
      inject: [CONFIG, LOGGER],
    },
  ],
  exports: [Mailer],
})
export class IdentityModule {}
