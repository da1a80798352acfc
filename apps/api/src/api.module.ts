import { Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { AnswersModule } from './answers/answers.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { DatasourcesModule } from './datasources/datasources.module.js';
import { DatastoresModule } from './datastores/datastores.module.js';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { GroupsModule } from './groups/groups.module.js';
import { HttpModule } from './http/http.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { ModelsModule } from './models/models.module.js';
import { OpenAiCompatibilityModule } from './openai-compatibility/openai-compatibility.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { PasswordResetsModule } from './password-resets/password-resets.module.js';
import { PeopleModule } from './people/people.module.js';
import { ScimModule } from './scim/scim.module.js';
import { SearchModule } from './search/search.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SingleSignOnModule } from './single-sign-on/single-sign-on.module.js';
import { SitePreviewsModule } from './site-previews/site-previews.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WidgetModule } from './widget/widget.module.js';

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
