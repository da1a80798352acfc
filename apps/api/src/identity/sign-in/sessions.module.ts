import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SingleSignOnModule } from '../provider/single-sign-on.module.js';
import { CredentialChecker } from './credential-checker.service.js';
import { EmailChanges } from './email-changes.service.js';
import { LinkRedeemer } from './link-redeemer.service.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { PasskeyCeremony } from './passkey-ceremony.service.js';
import { PasskeyChallengeLimiter } from './passkey-challenge-limiter.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysService } from './passkeys.service.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInCodes } from './sign-in-codes.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';
import { SignInLimiter } from './sign-in-limiter.js';

@Module({
  imports: [HttpModule, MailModule, SingleSignOnModule],
  controllers: [
    SessionsController,
    OwnSessionsController,
    PasskeysController,
    ProfileController,
    TokensController,
  ],
  providers: [
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
  ],
})
export class SessionsModule {}
