import { type ChatModel, ModelError } from '@citewell/models';

/** A failed call to a model that belongs to the organization that asks. Its administrators can help, the operator cannot. */
export class OwnModelError extends ModelError {
  constructor(error: ModelError) {
    const { kind, message, retryAfterMs, reason, providerSentence, refusedSettings } = error;
    super(kind, message, {
      cause: error.cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(reason === undefined ? {} : { reason }),
      ...(providerSentence === undefined ? {} : { providerSentence }),
      ...(refusedSettings === undefined ? {} : { refusedSettings }),
    });
  }
}

/** The same model, whose errors are those of an own model. */
export function asOwnModel(model: ChatModel): ChatModel {
  return {
    ...model,
    async *stream(request, options) {
      try {
        yield* model.stream(request, options);
      } catch (error) {
        throw error instanceof ModelError ? new OwnModelError(error) : error;
      }
    },
  };
}
