import { type ChatModel, ModelError, OwnModelError } from '@citewell/models';
import { withLogContext } from '@citewell/observability';

/** The same model, whose errors are those of an own model. @param owner the organization */
export function asOwnModel(model: ChatModel, owner: string): ChatModel {
  return {
    ...model,
    owner,
    async *stream(request, options) {
      try {
        yield* model.stream(request, options);
      } catch (error) {
        throw error instanceof ModelError ? new OwnModelError(error) : error;
      }
    },
  };
}

/** Reads what a model says. If that blocks the event loop, an own model is paused. */
export function readingModel<Result>({ owner }: Pick<ChatModel, 'owner'>, read: () => Result): Result {
  return owner === undefined ? read() : withLogContext({ ownModelOf: owner }, read);
}
