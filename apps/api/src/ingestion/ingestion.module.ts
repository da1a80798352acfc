import { Module } from '@nestjs/common';
import { AnsweringModule } from '../answering/answering.module.js';
import { DISPATCHER_PROVIDERS } from './dispatcher/maintenance-tasks.js';
import { SitePreviewsController } from './site-previews/site-previews.controller.js';
import { SitePreviewsService } from './site-previews/site-previews.service.js';
import { SourceCheckService } from './sources/source-check.service.js';
import { SourcesController } from './sources/sources.controller.js';

/** Claims due runs and purges, and sends them to the workers; shows sites and sources before they are added. */
@Module({
  imports: [AnsweringModule],
  controllers: [SitePreviewsController, SourcesController],
  providers: [...DISPATCHER_PROVIDERS, SitePreviewsService, SourceCheckService],
})
export class IngestionModule {}
