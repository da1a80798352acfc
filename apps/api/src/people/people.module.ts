import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { PeopleController } from './people.controller.js';
import { PeopleService } from './people.service.js';

@Module({ imports: [HttpModule], controllers: [PeopleController], providers: [PeopleService] })
export class PeopleModule {}
