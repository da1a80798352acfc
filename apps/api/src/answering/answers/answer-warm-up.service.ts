import { modelNameSchema } from '@citewell/contracts/schemas';
import { analyzedQuestions, asksForNewest, countTokens, wholeDocumentQuestion } from '@citewell/retrieval';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChatModels } from '../../models/chat-models.js';

const QUESTION = 'When did the library open on 4 July 2024?';

/**
 * Does before the process is ready what takes long the first time: compiles the patterns of questions and, if there is a
 * chat model, loads the tables of the tokenizer and the clients of the models. Otherwise, the first answer blocks all
 * requests for a second.
 */
@Injectable()
export class AnswerWarmUp implements OnApplicationBootstrap {
  constructor(@Inject(ChatModels) private readonly models: Pick<ChatModels, 'get'>) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const read of [analyzedQuestions, wholeDocumentQuestion, asksForNewest]) read(QUESTION);
    const models = new Set(modelNameSchema.options.map((name) => this.models.get(name)));
    models.delete(null);
    if (models.size > 0) countTokens(QUESTION);
    for (const model of models) await model?.prepare?.();
  }
}
