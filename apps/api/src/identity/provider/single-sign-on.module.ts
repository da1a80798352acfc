import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { IdentityProvidersController } from './identity-providers.controller.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { ProviderClient } from './provider-client.service.js';
import { ProviderLogout } from './provider-logout.service.js';
import { ProviderSecrets } from './provider-secrets.js';
import { ProviderSignInController } from './provider-sign-in.controller.js';
import { ProviderSignInLimiter } from './provider-sign-in.limiter.js';
import { ProviderSignInService } from './provider-sign-in.service.js';
import { SessionCheck } from './session-check.service.js';

/** Sign-in at the identity providers of organizations. */
@Module({
  imports: [HttpModule],
  controllers: [IdentityProvidersController, ProviderSignInController],
  providers: [
    IdentityProvidersService,
    ProviderClient,
    ProviderLogout,
    ProviderSecrets,
    ProviderSignInLimiter,
    ProviderSignInService,
    SessionCheck,
  ],
  exports: [ProviderLogout],
})
export class SingleSignOnModule {}
