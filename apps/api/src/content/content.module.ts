import { Module } from '@nestjs/common';
import { AnsweringModule } from '../answering/answering.module.js';
import { HttpModule } from '../http/http.module.js';
import { ChunksController } from './datasources/chunks.controller.js';
import { ChunksService, DatasourceContentService } from './datasources/datasource-content.service.js';
import { ContentReceiver } from './datasources/content-receiver.js';
import { DatasourceCreationService } from './datasources/datasource-creation.service.js';
import { DatasourceEventsController } from './datasources/datasource-events.controller.js';
import { DatasourceWatcher } from './datasources/datasource-watcher.js';
import { DatasourcesController } from './datasources/datasources.controller.js';
import { SourceAdmission } from './datasources/source-admission.js';
import { DatasourcesService } from './datasources/datasources.service.js';
import { DocumentTablesController } from './datasources/document-tables.controller.js';
import { DocumentTablesService } from './datasources/document-tables.service.js';
import { DeprecatedController } from './datasources/deprecated.controller.js';
import { SiteUrlsController } from './datasources/site-urls.controller.js';
import { SourceDocumentsController } from './datasources/source-documents.controller.js';
import { DatastoresController } from './datastores/datastores.controller.js';
import { DatastoresService } from './datastores/datastores.service.js';
import { ReadersController } from './datastores/readers.controller.js';
import { ReadersService } from './datastores/readers.service.js';

/** Datastores and what is in them. */
@Module({
  imports: [HttpModule, AnsweringModule],
  controllers: [
    ChunksController,
    DatasourceEventsController,
    DatasourcesController,
    DeprecatedController,
    DocumentTablesController,
    SiteUrlsController,
    SourceDocumentsController,
    DatastoresController,
    ReadersController,
  ],
  providers: [
    ChunksService,
    ContentReceiver,
    DatasourceContentService,
    DatasourceCreationService,
    SourceAdmission,
    DatasourceWatcher,
    DatasourcesService,
    DatastoresService,
    DocumentTablesService,
    ReadersService,
  ],
  exports: [DatasourceContentService, DatasourceCreationService, DatastoresService],
})
export class ContentModule {}
