import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { SearchModule } from '../search/search.module.js';
import { DatastoresController } from './datastores.controller.js';
import { DatastoresService } from './datastores.service.js';

@Module({
  imports: [HttpModule, SearchModule],
  controllers: [DatastoresController],
  providers: [DatastoresService],
  exports: [DatastoresService],
})
export class DatastoresModule {}
