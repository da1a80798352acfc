import type { ChatMessage, ChatRequest } from './model.port.js';
import type { ChatProvider } from './providers.js';
import type { ModelSetting } from './model.error.js';
import { withToolInstructions } from './tool-calls.js';

/** Sampling settings, which reasoning models refuse. */
export const SAMPLING: readonly ModelSetting[] = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
];

/** Characters of an error that are read. The patterns take less than 1 ms for this length. */
const MAX_TEXT_LENGTH = 2_500;
/** How the sentences and fields of servers name a setting, in the order in which they are looked for. */
const NAMES: readonly (readonly [ModelSetting, RegExp])[] = [
  ['tools', /tool|function[\s_-]*call/i],
  ['stream_options', /stream_?options|include_?usage/i],
  ['max_tokens', /\bmax_?tokens\b/i],
  ['max_completion_tokens', /max_?completion_?tokens/i],
  ['top_p', /\btop_?p\b/i],
  ['temperature', /temperature/i],
  ['presence_penalty', /presence_?penalty/i],
  ['frequency_penalty', /frequency_?penalty|penalt(?:y|ies)/i],
  [
    'system',
    /system[\s_-]*(?:role|message|prompt|instruction)|roles?\b.{0,40}\b(?:system|alternate)|["'`]system["'`]|assistant roles are supported|developer (?:role|message|instruction)/i,
  ],
];
/** A refusal that names no setting. */
const REFUSAL =
  /unknown|unrecogni[sz]ed|unexpected|unsupported|not (?:supported|allowed|permitted|valid)|extra (?:fields?|inputs?|keys?|arguments?)|invalid (?:parameter|argument|request|field|input)/i;
/** Servers answer 500 if the template of a model refuses a role. */
const STATUSES = new Set([400, 404, 405, 409, 415, 422, 500, 501]);
/** Codes of OpenAI. */
const CODES = new Set(['unsupported_parameter', 'unsupported_value', 'unknown_parameter']);

/** What is known of an error response. */
export interface RefusalFacts {
  status: number | undefined;
  code: string | undefined;
  /** Sentence and fields of the response. */
  text: string;
}

/** The settings that a request has. */
export function settingsOf(provider: ChatProvider, request: ChatRequest): ModelSetting[] {
  const isOpenAi = provider === 'openai' || provider === 'azure';
  const sent: readonly (readonly [ModelSetting, boolean])[] = [
    ['tools', (request.tools ?? []).length > 0],
    ['stream_options', isOpenAi],
    ['max_tokens', request.maxTokens !== undefined],
    ['max_completion_tokens', isOpenAi && request.maxTokens !== undefined],
    ['top_p', request.topP !== undefined],
    ['temperature', request.temperature !== undefined],
    ['presence_penalty', request.presencePenalty !== undefined],
    ['frequency_penalty', request.frequencyPenalty !== undefined],
    ['system', request.messages.some(({ role }) => role === 'system')],
  ];
  return sent.flatMap(([setting, isSent]) => (isSent ? setting : []));
}

/**
 * The settings that a server has refused: the first one that it names, or, if it only says that something is refused, the
 * sampling settings, and then the others. Empty if it says something else.
 *
 * @param sent the settings of the request that have not been left out yet
 */
export function refusedSettings(
  { status, code, text: wholeText }: RefusalFacts,
  sent: readonly ModelSetting[],
): ModelSetting[] {
  if (status === undefined || !STATUSES.has(status)) return [];
  const text = wholeText.slice(0, MAX_TEXT_LENGTH);
  const named = NAMES.find(([setting, name]) => sent.includes(setting) && name.test(text))?.[0];
  if (named !== undefined) return [named];
  if ((status !== 400 && status !== 422) || !(REFUSAL.test(text) || CODES.has(code ?? ''))) return [];
  const sampling = SAMPLING.filter((setting) => sent.includes(setting));
  return sampling.length > 0 ? sampling : sent.filter((setting) => setting !== 'system');
}

/** The request without the settings that the model refuses. Tools are described in the prompt instead. */
export function withoutSettings(request: ChatRequest, left: ReadonlySet<ModelSetting>): ChatRequest {
  const { temperature, topP, presencePenalty, frequencyPenalty, maxTokens, tools = [] } = request;
  const isDescribed = left.has('tools') && tools.length > 0;
  const messages = isDescribed ? withToolInstructions(request.messages, tools) : request.messages;
  const keep = (setting: ModelSetting, field: object): object => (left.has(setting) ? {} : field);
  return {
    messages: left.has('system') ? withoutSystem(messages) : messages,
    ...(tools.length === 0 ? {} : keep('tools', { tools })),
    ...(temperature === undefined ? {} : keep('temperature', { temperature })),
    ...(topP === undefined ? {} : keep('top_p', { topP })),
    ...(presencePenalty === undefined ? {} : keep('presence_penalty', { presencePenalty })),
    ...(frequencyPenalty === undefined ? {} : keep('frequency_penalty', { frequencyPenalty })),
    // With another name, it is still sent.
    ...(maxTokens === undefined || (left.has('max_tokens') && left.has('max_completion_tokens'))
      ? {}
      : { maxTokens }),
  };
}

/** Instructions become the beginning of the first question, and roles alternate, as templates without the role need it. */
function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const spoken = role === 'system' ? 'user' : role;
    const last = merged.at(-1);
    if (last?.role === spoken)
      merged[merged.length - 1] = { role: spoken, content: `${last.content}\n\n${content}` };
    else merged.push({ role: spoken, content });
  }
  return merged;
}
