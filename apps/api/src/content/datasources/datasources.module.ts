import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { SearchModule } from '../../answering/search/search.module.js';
import { ChunksController } from './chunks.controller.js';
import { ChunksService } from './chunks.service.js';
import { ContentReceiver } from './content-receiver.js';
import { DatasourceContentService } from './datasource-content.service.js';
import { DatasourceCreationService } from './datasource-creation.service.js';
import { DatasourceEventsController } from './datasource-events.controller.js';
import { DatasourceWatcher } from './datasource-watcher.js';
import { DatasourceWriter } from './datasource-writer.service.js';
import { DatasourcesController } from './datasources.controller.js';
import { DatasourcesService } from './datasources.service.js';
import { DeprecatedController } from './deprecated.controller.js';
import { SiteUrlsController } from './site-urls.controller.js';
import { TextsService } from './texts.service.js';

@Module({
  imports: [HttpModule, SearchModule],
  controllers: [
    ChunksController,
    DatasourceEventsController,
    DatasourcesController,
    DeprecatedController,
    SiteUrlsController,
  ],
  providers: [
    ChunksService,
    ContentReceiver,
    DatasourceContentService,
    DatasourceCreationService,
    DatasourceWatcher,
    DatasourceWriter,
    DatasourcesService,
    TextsService,
  ],
  exports: [DatasourceContentService, DatasourceCreationService],
})
export class DatasourcesModule {}
