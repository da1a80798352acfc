import { Module } from '@nestjs/common';
import { SitePreviewsController } from './site-previews.controller.js';
import { SitePreviewsService } from './site-previews.service.js';

@Module({
  controllers: [SitePreviewsController],
  providers: [SitePreviewsService],
})
export class SitePreviewsModule {}
