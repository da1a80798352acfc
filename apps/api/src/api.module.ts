import { Module } from '@nestjs/common';
import { AgentsModule } from './answering/agents/agents.module.js';
import { AnswersModule } from './answering/answers/answers.module.js';
import { AuditModule } from './tenancy/audit/audit.module.js';
import { ConversationsModule } from './answering/conversations/conversations.module.js';
import { DatasourcesModule } from './content/datasources/datasources.module.js';
import { DatastoresModule } from './content/datastores/datastores.module.js';
import { DispatcherModule } from './ingestion/dispatcher/dispatcher.module.js';
import { EvaluationsModule } from './evaluation/evaluations.module.js';
import { GroupsModule } from './identity/people/groups.module.js';
import { HttpModule } from './http/http.module.js';
import { McpModule } from './interfaces/mcp/mcp.module.js';
import { ModelsModule } from './models/models.module.js';
import { OpenAiCompatibilityModule } from './interfaces/openai/openai-compatibility.module.js';
import { OpenApiModule } from './interfaces/openapi/openapi.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OrganizationsModule } from './tenancy/organizations/organizations.module.js';
import { PasswordResetsModule } from './identity/sign-in/password-resets.module.js';
import { PeopleModule } from './identity/people/people.module.js';
import { ScimModule } from './identity/scim/scim.module.js';
import { SearchModule } from './answering/search/search.module.js';
import { SessionsModule } from './identity/sign-in/sessions.module.js';
import { SingleSignOnModule } from './identity/provider/single-sign-on.module.js';
import { SitePreviewsModule } from './ingestion/site-previews/site-previews.module.js';
import { UsageModule } from './tenancy/usage/usage.module.js';
import { WebhooksModule } from './interfaces/webhooks/webhooks.module.js';
import { WidgetModule } from './interfaces/widget/widget.module.js';

/** The HTTP interface and the dispatcher. The root module must import `InfrastructureModule` too. */
@Module({
  imports: [
    AgentsModule,
    AnswersModule,
    AuditModule,
    ConversationsModule,
    DatasourcesModule,
    DatastoresModule,
    DispatcherModule,
    EvaluationsModule,
    GroupsModule,
    HttpModule,
    McpModule,
    ModelsModule,
    OpenAiCompatibilityModule,
    OpenApiModule,
    OperationsModule,
    OrganizationsModule,
    PasswordResetsModule,
    PeopleModule,
    ScimModule,
    SearchModule,
    SessionsModule,
    SingleSignOnModule,
    SitePreviewsModule,
    UsageModule,
    WebhooksModule,
    WidgetModule,
  ],
})
export class ApiModule {}
