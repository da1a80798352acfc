import { Module } from '@nestjs/common';
import { ModelsModule } from '../../models/models.module.js';
import { SearchModule } from '../search/search.module.js';
import { AnswerLimits } from './answer-limits.service.js';
import { AnswerPreparationService } from './answer-preparation.service.js';
import { AnswerResponder } from './answer-responder.service.js';
import { AnswerWarmUp } from './answer-warm-up.service.js';
import { AnswersController } from './answers.controller.js';
import { AnswersService } from './answers.service.js';
import { BudgetGuard } from './budget-guard.service.js';
import { GroundedWriter } from './grounded-writer.service.js';
import { Grounding } from './grounding.service.js';
import { ResumableAnswersController } from './resumable-answers.controller.js';
import { ResumableAnswers } from './resumable-answers.service.js';
import { Visits } from './visits.service.js';

/** Answers questions: once, as a stream, or resumable. */
@Module({
  imports: [ModelsModule, SearchModule],
  controllers: [AnswersController, ResumableAnswersController],
  providers: [
    AnswerLimits,
    AnswerPreparationService,
    AnswerResponder,
    AnswersService,
    AnswerWarmUp,
    BudgetGuard,
    Grounding,
    GroundedWriter,
    ResumableAnswers,
    Visits,
  ],
  exports: [AnswerPreparationService, AnswerResponder, AnswersService],
})
export class AnswersModule {}
