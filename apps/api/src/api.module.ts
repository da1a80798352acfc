import { Module } from '@nestjs/common';
import { AnsweringModule } from './answering/answering.module.js';
import { ContentModule } from './content/content.module.js';
import { EvaluationModule } from './evaluation/evaluation.module.js';
import { HttpModule } from './http/http.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { IngestionModule } from './ingestion/ingestion.module.js';
import { InterfacesModule } from './interfaces/interfaces.module.js';
import { ModelsModule } from './models/models.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { TenancyModule } from './tenancy/tenancy.module.js';

/** The HTTP interface and the dispatcher. The root module must import `InfrastructureModule` too. */
@Module({
  imports: [
    AnsweringModule,
    ContentModule,
    EvaluationModule,
    HttpModule,
    IdentityModule,
    IngestionModule,
    InterfacesModule,
    ModelsModule,
    OperationsModule,
    TenancyModule,
  ],
})
export class ApiModule {}
