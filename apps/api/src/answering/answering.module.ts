import { TableEngine } from '@citewell/tables';
import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ModelsModule } from '../models/models.module.js';
import { AgentsController } from './agents/agents.controller.js';
import { AgentsService } from './agents/agents.service.js';
import { AnswerLimits, BudgetGuard } from './answers/answer-limits.service.js';
import { AnswerPreparationService } from './answers/answer-preparation.service.js';
import { AnswerResponder } from './answers/answer-stream.js';
import { AnswerWarmUp } from './answers/answer-warm-up.service.js';
import { AnswersController } from './answers/answers.controller.js';
import { AnswersService } from './answers/answers.service.js';
import { AnswerWriter } from './answers/answer-writer.service.js';
import { Grounding } from './answers/grounding.service.js';
import { OverviewService } from './answers/overview.service.js';
import { ResumableAnswersController } from './answers/resumable-answers.controller.js';
import { ResumableAnswers } from './answers/resumable-answers.service.js';
import { Visits } from './answers/visits.service.js';
import { ConversationExportService } from './conversations/conversation-export.service.js';
import { ConversationsController, FeedbackController } from './conversations/conversations.controller.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { SharedConversationsController } from './conversations/shared-conversations.controller.js';
import { SharedConversationsService } from './conversations/shared-conversations.service.js';
import { GapCheck } from './gaps/gap-check.task.js';
import { GapGrouping } from './gaps/gap-grouping.task.js';
import { GapMails, WeeklyGapMail } from './gaps/gap-mails.service.js';
import { GapsController } from './gaps/gaps.controller.js';
import { ChunkReader } from './search/chunk-reader.service.js';
import { IndexRecovery } from './search/index-recovery.service.js';
import { Introductions } from './search/introductions.service.js';
import { QuestionEmbedder } from './search/question-embedder.service.js';
import { Search } from './search/search.service.js';
import { Retriever } from './search/retriever.service.js';
import { SearchExplainer } from './search/search-explainer.service.js';
import { TableAnswers } from './tables/table-answers.service.js';
import { TableFiles } from './tables/table-files.service.js';
import { TableQueries } from './tables/table-queries.service.js';

/** Agents, search, answers and conversations. */
@Module({
  imports: [HttpModule, IdentityModule, ModelsModule],
  controllers: [
    AgentsController,
    AnswersController,
    ResumableAnswersController,
    ConversationsController,
    FeedbackController,
    GapsController,
    SharedConversationsController,
  ],
  providers: [
    AgentsService,
    AnswerLimits,
    AnswerPreparationService,
    AnswerResponder,
    AnswersService,
    AnswerWarmUp,
    BudgetGuard,
    Grounding,
    AnswerWriter,
    OverviewService,
    ResumableAnswers,
    Visits,
    ConversationExportService,
    ConversationsService,
    SharedConversationsService,
    GapCheck,
    GapGrouping,
    GapMails,
    WeeklyGapMail,
    ChunkReader,
    IndexRecovery,
    Introductions,
    QuestionEmbedder,
    Search,
    Retriever,
    SearchExplainer,
    TableAnswers,
    TableFiles,
    TableQueries,
    { provide: TableEngine, useFactory: () => new TableEngine() },
  ],
  exports: [
    AgentsService,
    AnswerPreparationService,
    AnswerResponder,
    AnswersService,
    ChunkReader,
    GapCheck,
    GapGrouping,
    WeeklyGapMail,
    IndexRecovery,
    Introductions,
    Search,
    SearchExplainer,
    TableEngine,
    TableFiles,
  ],
})
export class AnsweringModule {}
