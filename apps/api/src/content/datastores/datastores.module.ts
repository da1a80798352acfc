import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { SearchModule } from '../../answering/search/search.module.js';
import { DatastoresController } from './datastores.controller.js';
import { DatastoresService } from './datastores.service.js';
import { ReadersController } from './readers.controller.js';
import { ReadersService } from './readers.service.js';

@Module({
  imports: [HttpModule, SearchModule],
  controllers: [DatastoresController, ReadersController],
  providers: [DatastoresService, ReadersService],
  exports: [DatastoresService],
})
export class DatastoresModule {}
