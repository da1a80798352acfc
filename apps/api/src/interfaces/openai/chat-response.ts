import type { AgentAnswer, AnswerSentence, FinishReason, Source } from '@citewell/contracts/schemas';
import type { AnswerFormat } from '../../answering/answers/answer-frames.js';
import { toOpenAiError } from '../../http/openai-error.js';
import { sourceList, toAnnotations, type UrlCitation } from './citations.js';

/** What the response to a chat repeats from its request, and which of its parts the client wants. */
export interface Completion {
  id: string;
  /** Unix time in seconds. */
  created: number;
  model: string;
  includesUsage: boolean;
  listsSources: boolean;
}

/** What an answer has and the format of OpenAI does not. */
interface Extension {
  /** The mark `[n]` cites the n-th source. */
  sources: Source[];
  abstained: boolean;
  finishReason: FinishReason;
  /** What supports the sentences of a model's answer. */
  sentences?: AnswerSentence[];
}

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** `tool_calls` is never used: a client would look for the calls. */
type OpenAiFinishReason = 'stop' | 'length' | 'content_filter';

interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: {
    index: number;
    message: { role: 'assistant'; content: string; refusal: null; annotations: UrlCitation[] };
    logprobs: null;
    finish_reason: OpenAiFinishReason;
  }[];
  usage: Usage;
  citewell: Extension;
}

/** The answer as the response to a chat without streaming. */
export function toChatCompletion(answer: AgentAnswer, completion: Completion): ChatCompletion {
  const { id, created, model, listsSources } = completion;
  const content = answer.answer + (listsSources ? sourceList(answer.sources) : '');
  const annotations = toAnnotations(answer.answer, answer.sources);
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations },
        logprobs: null,
        finish_reason: toOpenAiReason(answer),
      },
    ],
    usage: toUsage(answer),
    citewell: toExtension(answer),
  };
}

/** The frames of a streamed chat: the role, the pieces of the text, the citations, and the usage if it is wanted. */
export function chatFormat({ includesUsage, listsSources, ...completion }: Completion): AnswerFormat {
  const chunk = (choices: readonly object[], more: object = {}): string => {
    const usage = includesUsage ? { usage: null } : {};
    return dataFrame({ object: 'chat.completion.chunk', ...completion, choices, ...usage, ...more });
  };
  const delta = (fields: object, finish_reason: string | null = null, more: object = {}): string =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason }], more);
  return {
    opening: delta({ role: 'assistant', content: '' }),
    text: (content) => delta({ content }),
    response: (answer) => {
      const list = listsSources ? sourceList(answer.sources) : '';
      const annotations = toAnnotations(answer.answer, answer.sources);
      return [
        list === '' ? '' : delta({ content: list }),
        delta({ annotations }, toOpenAiReason(answer), { citewell: toExtension(answer) }),
        includesUsage ? chunk([], { usage: toUsage(answer) }) : '',
      ].join('');
    },
    error: (error) => dataFrame(toOpenAiError(error)),
  };
}

function dataFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function toExtension({ sources, abstained, finishReason, sentences }: AgentAnswer): Extension {
  return { sources, abstained, finishReason, ...(sentences ? { sentences } : {}) };
}

/** OpenAI has no words for the other reasons; they are in the extension, and the answer has a sentence about them. */
function toOpenAiReason({ finishReason }: AgentAnswer): OpenAiFinishReason {
  if (finishReason === 'refusal') return 'content_filter';
  return finishReason === 'length' || finishReason === 'content_filter' ? finishReason : 'stop';
}

/** 0 tokens when no model was called, or its provider does not count. */
function toUsage({ usage }: AgentAnswer): Usage {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
