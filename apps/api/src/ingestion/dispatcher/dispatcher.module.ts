import { Module } from '@nestjs/common';
import { SearchModule } from '../../answering/search/search.module.js';
import { DISPATCHER_PROVIDERS } from './maintenance-tasks.js';

/** Claims due runs and purges, and sends them to the workers. */
@Module({
  imports: [SearchModule],
  providers: [...DISPATCHER_PROVIDERS],
})
export class DispatcherModule {}
