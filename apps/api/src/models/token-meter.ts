import type { ChatEvent, ChatModel, ChatRequest } from '@citewell/models';
import { countTokens } from '@citewell/retrieval';

/** Tokens of all calls of models for one answer. */
export interface MeteredTokens {
  inputTokens: number;
  outputTokens: number;
  /** Those of both that were counted here, because the provider did not report them. */
  estimatedTokens: number;
}

interface Call {
  request: ChatRequest;
  /** All text of the model, also what was retracted. */
  text: string;
  reported: { inputTokens: number; outputTokens: number };
  isComplete: boolean;
}

/**
 * Counts the tokens of every call of a model: also of a question that is rewritten, and of an answer that is stopped or
 * fails. A provider reports them at the end, or never. What it does not report is counted here.
 */
export class TokenMeter {
  private readonly calls: Call[] = [];

  /** A model that counts what it is asked. */
  wrap(model: ChatModel): ChatModel {
    const { name } = model;
    const stream: ChatModel['stream'] = (request, options) => this.metered(model, request, options);
    if (!model.contextTokens) return { name, stream };
    return {
      name,
      stream,
      contextTokens: (signal) => model.contextTokens?.(signal) ?? Promise.resolve(null),
    };
  }

  /** The sum of all calls. It takes time: long texts may be counted. */
  read(): MeteredTokens {
    const sum = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };
    for (const { request, text, reported, isComplete } of this.calls) {
      // The provider refused the request, or could not be reached.
      if (!isComplete && text === '' && reported.inputTokens === 0) continue;
      const isInputKnown = reported.inputTokens > 0;
      const isOutputKnown = reported.outputTokens > 0 || text === '';
      const input = isInputKnown
        ? reported.inputTokens
        : request.messages.reduce((tokens, { content }) => tokens + countTokens(content), 0);
      const output = isOutputKnown ? reported.outputTokens : countTokens(text);
      sum.inputTokens += input;
      sum.outputTokens += output;
      sum.estimatedTokens += (isInputKnown ? 0 : input) + (isOutputKnown ? 0 : output);
    }
    return sum;
  }

  private async *metered(
    model: ChatModel,
    request: ChatRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<ChatEvent> {
    const reported = { inputTokens: 0, outputTokens: 0 };
    const call: Call = { request, text: '', reported, isComplete: false };
    // Nothing is sent with a signal that is aborted already.
    if (!options.signal.aborted) this.calls.push(call);
    try {
      for await (const event of model.stream(request, options)) {
        if ('text' in event) call.text += event.text;
        else if ('usage' in event) call.reported = event.usage;
        yield event;
      }
      call.isComplete = true;
    } finally {
      // The provider has the prompt of a request that is aborted while it is answered.
      if (options.signal.aborted) call.isComplete = true;
    }
  }
}
