import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { Module } from '@nestjs/common';
import { Authenticator } from './authenticator.js';
import { IdempotencyService } from './idempotency.service.js';
import { PendingLimiter } from './pending-limiter.js';
import { RateLimiter, UploadRateLimiter, VisitorRateLimiter } from './rate-limiter.js';

/** Guards and limits of requests. */
@Module({
  providers: [
    Authenticator,
    IdempotencyService,
    PendingLimiter,
    {
      provide: RateLimiter,
      useFactory: (config: Config) => new RateLimiter(config.RATE_LIMIT_PER_MINUTE),
      inject: [CONFIG],
    },
    {
      provide: VisitorRateLimiter,
      useFactory: (config: Config) => new VisitorRateLimiter(config.VISITOR_RATE_LIMIT_PER_MINUTE),
      inject: [CONFIG],
    },
    {
      provide: UploadRateLimiter,
      useFactory: (config: Config) => new UploadRateLimiter(config.UPLOAD_BYTES_PER_MINUTE),
      inject: [CONFIG],
    },
  ],
  exports: [
    Authenticator,
    IdempotencyService,
    PendingLimiter,
    RateLimiter,
    VisitorRateLimiter,
    UploadRateLimiter,
  ],
})
export class HttpModule {}
