import type { ChatModel, ChatRequest } from './chat-model.port.js';

/** The text of a complete answer. @throws ModelError, or the reason of the signal */
export async function readText(model: ChatModel, request: ChatRequest, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const event of model.stream(request, { signal })) {
    if ('text' in event) text += event.text;
    else if ('retracted' in event) text = '';
  }
  return text;
}
