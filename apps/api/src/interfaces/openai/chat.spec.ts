import { type AgentAnswer, chatCompletionSchema, type Source } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { issueSentence } from '../../http/issue-sentence.js';
import { toAgentQuery } from './chat-completions.controller.js';
import { chatFormat, type Completion, toChatCompletion } from './chat-response.js';
import { sourceList, toAnnotations } from './citations.js';

const USER = { role: 'user', content: 'How deep is it?' };

/** Each part of its line could begin an item, so that a careless pattern takes exponential time. */
const LOOKS_LIKE_LIST = `\n\nSources:\n${'- [1] '.repeat(40)}\nand more`;

function translate(fields: object) {
  return toAgentQuery(chatCompletionSchema.parse({ model: 'm', messages: [USER], ...fields }));
}

describe('a chat as a question', () => {
  const human = (text: string) => ({ from: 'human', text });
  const agent = (text: string) => ({ from: 'agent', text });

  it.each<[title: string, messages: object[], query: string, history: object[], instructions: string]>([
    ['one message', [USER], 'How deep is it?', [], ''],
    [
      'a conversation',
      [{ role: 'user', content: 'Which lake?' }, { role: 'assistant', content: 'Loch Ness [1].' }, USER],
      'How deep is it?',
      [human('Which lake?'), agent('Loch Ness [1].')],
      '',
    ],
    [
      'messages of the system, wherever they are',
      [{ role: 'system', content: 'Be brief.' }, USER, { role: 'developer', content: 'In metres.' }],
      'How deep is it?',
      [],
      'Be brief.\n\nIn metres.',
    ],
    [
      'parts of text, and a message after the question',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'How' },
            { type: 'text', text: 'deep?' },
          ],
        },
        { role: 'assistant', content: 'It' },
      ],
      'How\ndeep?',
      [],
      '',
    ],
    [
      'an answer with a list of sources, and one without text',
      [
        USER,
        {
          role: 'assistant',
          content: '230 m [1].\n\nSources:\n- [1] Lakes, page 3 <https://a.example/>\n- [2] b',
        },
        { role: 'assistant', content: null },
        { role: 'user', content: ' And how long? ' },
      ],
      'And how long?',
      [human('How deep is it?'), agent('230 m [1].')],
      '',
    ],
    [
      'an answer that only looks like a list of sources',
      [{ role: 'assistant', content: LOOKS_LIKE_LIST }, USER],
      'How deep is it?',
      [agent(LOOKS_LIKE_LIST)],
      '',
    ],
    [
      'calls of tools and their results',
      [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function' }] },
        { role: 'tool', tool_call_id: 'c', content: '{"sky":"clear"}' },
        { role: 'assistant', content: 'It is sunny.' },
        { role: 'user', content: 'In F?' },
        { role: 'assistant', function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: null },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'x' },
            { type: 'text', text: '70.' },
            { type: 'refusal' },
          ],
          tool_calls: [{ id: 'd', type: 'function' }],
        },
        { role: 'tool', tool_call_id: 'd', content: [{ type: 'image_url', image_url: { url: 'x' } }] },
        USER,
        { role: 'assistant', content: '', tool_calls: [{ id: 'e', type: 'function' }] },
        { role: 'tool', tool_call_id: 'e' },
      ],
      'How deep is it?',
      [human('Weather?'), agent('It is sunny.'), human('In F?'), agent('70.')],
      '',
    ],
    [
      'a long history',
      [{ role: 'user', content: 'x'.repeat(9_000) }, USER],
      'How deep is it?',
      [human('x'.repeat(8_192))],
      '',
    ],
  ])('%s', (_, messages, query, history, instructions) => {
    const { query: asked, own } = translate({ messages });
    expect(asked.query).toBe(query);
    expect(own).toEqual({ history, instructions });
  });

  it('keeps the sampling, within the range of agents', () => {
    const fields = { temperature: 1.5, max_tokens: 5, max_completion_tokens: 6, top_p: 0.5 };
    expect(translate(fields).query).toMatchObject({ temperature: 1, maxTokens: 6, topP: 0.5 });
    expect(translate({ temperature: 0, max_tokens: 5 }).query).toMatchObject({
      temperature: 0,
      maxTokens: 5,
    });
    expect(translate({}).query.temperature).toBeNull();
  });

  it.each<[field: string, harmless: unknown[], refused: unknown]>([
    ['n', [1, null], 2],
    ['tools', [[], null], [{ type: 'function', function: { name: 'f' } }]],
    ['functions', [[]], [{ name: 'f' }]],
    ['response_format', [{ type: 'text' }], { type: 'json_object' }],
    ['stop', [[], '', null], ['END']],
    ['logprobs', [false], true],
    ['logit_bias', [{}], { 1: 5 }],
    ['modalities', [['text']], ['text', 'audio']],
    ['audio', [null], { voice: 'v' }],
    ['seed', [7], undefined],
  ])('%s', (field, harmless, refused) => {
    for (const value of harmless) expect(translate({ [field]: value }).query.query).toBe(USER.content);
    if (refused === undefined) return;
    const { error } = chatCompletionSchema.safeParse(
      { model: 'm', messages: [USER], [field]: refused },
      { error: issueSentence },
    );
    expect(error?.issues).toMatchObject([{ path: [field], message: 'is not supported' }]);
  });

  it.each<[messages: object[], sentence: string]>([
    [[{ role: 'system', content: 'x' }], 'messages must contain a message of the role user.'],
    [[{ role: 'user', content: ' ' }], 'messages[0].content must not be empty.'],
    [
      [USER, { role: 'user', content: 'x'.repeat(8_193) }],
      'messages[1].content must have at most 8192 characters.',
    ],
    [
      [{ role: 'system', content: 'x'.repeat(32_769) }, USER],
      'messages must have at most 32768 characters of the role system.',
    ],
  ])('refuses %j', (messages, sentence) => {
    expect(() => translate({ messages })).toThrow(sentence);
  });

  it.each<[message: object, sentence: string]>([
    [{ role: 'robot', content: 'x' }, 'must be one of system, developer, user, assistant, tool, function'],
    [{ role: 'assistant', content: 5 }, 'does not match any of the allowed forms'],
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] },
      'must be text: images, audio and files are not supported',
    ],
  ])('has no form for %j', (message, sentence) => {
    const parsed = chatCompletionSchema.safeParse(
      { model: 'm', messages: [message] },
      { error: issueSentence },
    );
    expect(parsed.error?.issues[0]?.message).toBe(sentence);
  });
});

const SOURCE: Source = {
  chunk_id: 'c',
  datasource_id: 'd',
  datasource_name: 'Lakes of [Scotland]',
  datasource_type: 'web_page',
  source: 'https://a.example/lakes#ness',
  source_url: 'https://a.example/lakes',
  score: 1,
  text: 'Loch Ness is 230 m deep.',
  start: 0,
  end: 24,
  revision: 1,
  cited: true,
};
const { source_url: _, ...FILE }: Source = {
  ...SOURCE,
  source: 'lakes.pdf',
  datasource_name: 'lakes.pdf',
  page_number: 7,
};
const SOURCES = [SOURCE, FILE, { ...SOURCE, cited: false }];

describe('citations', () => {
  it.each<[text: string, spans: [start: number, end: number][]]>([
    ['It is 230 m deep [1].', [[17, 20]]],
    [
      '🦊 [1] and [1][2]',
      [
        [3, 6],
        [11, 14],
      ],
    ],
    ['A file [2], a source that is not cited [3], none [4] [0]', []],
  ])('annotates %s', (text, spans) => {
    const annotations = toAnnotations(text, SOURCES);
    expect(
      annotations.map(({ url_citation: { start_index, end_index } }) => [start_index, end_index]),
    ).toEqual(spans);
    for (const { url_citation } of annotations)
      expect(url_citation).toMatchObject({ url: SOURCE.source, title: SOURCE.datasource_name });
  });

  it('are listed as Markdown that shows names as they are', () => {
    const list = '- [1] Lakes of \\[Scotland\\] <https://a.example/lakes#ness>\n- [2] lakes.pdf, page 7';
    expect(sourceList(SOURCES)).toBe(`\n\nSources:\n${list}`);
    expect(sourceList([{ ...SOURCE, cited: false }])).toBe('');
  });
});

const ANSWER: AgentAnswer = {
  answer: '230 m [1].',
  conversationId: 'c',
  visitorId: 'v',
  messageId: 'm',
  abstained: false,
  finishReason: 'stop',
  sources: [SOURCE],
  usage: { inputTokens: 7, outputTokens: 3 },
};
const COMPLETION: Completion = { id: 'i', created: 1, model: 'm', includesUsage: true, listsSources: true };
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const LIST = '\n\nSources:\n- [1] Lakes of \\[Scotland\\] <https://a.example/lakes#ness>';

describe('the response to a chat', () => {
  it('has the types of the client of OpenAI', () => {
    const completion: ChatCompletion = toChatCompletion(ANSWER, COMPLETION);
    expect(completion).toMatchObject({
      choices: [{ message: { content: ANSWER.answer + LIST }, finish_reason: 'stop' }],
      usage: USAGE,
      citewell: { sources: [SOURCE], abstained: false, finishReason: 'stop' },
    });
    const sentences = [{ start: 0, end: 10, supported: false, citations: [] }];
    expect(toChatCompletion({ ...ANSWER, sentences }, COMPLETION).citewell.sentences).toEqual(sentences);
    const { usage: _usage, ...withoutModel } = ANSWER;
    const bare: ChatCompletion = toChatCompletion(withoutModel, { ...COMPLETION, listsSources: false });
    expect(bare.choices[0]?.message.content).toBe(ANSWER.answer);
    expect(bare.usage?.total_tokens).toBe(0);
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['refusal', 'content_filter'],
    ['tool_calls', 'stop'],
    ['error', 'stop'],
  ] as const)('ends with the word of OpenAI for %s: %s', (finishReason, word) => {
    const answer = { ...ANSWER, finishReason };
    expect(toChatCompletion(answer, COMPLETION)).toMatchObject({
      choices: [{ finish_reason: word }],
      citewell: { finishReason },
    });
    expect(chatFormat(COMPLETION).response(answer)).toContain(`"finish_reason":"${word}"`);
  });

  it.each([
    [{ includesUsage: true, listsSources: true }, [LIST], [null, null, null, null, USAGE]],
    [{ includesUsage: false, listsSources: false }, [], [undefined, undefined, undefined]],
  ])('streams with %j', (options, list, usages) => {
    const format = chatFormat({ ...COMPLETION, ...options });
    const stream = format.opening + format.text('230 m [1].') + format.response(ANSWER);
    const chunks = stream
      .split('\n\n')
      .filter((frame) => frame !== '')
      // The frames are those of the format above.
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as ChatCompletionChunk);
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content).filter(Boolean);
    expect(texts).toEqual(['230 m [1].', ...list]);
    expect(chunks.map(({ usage }) => usage)).toEqual(usages);
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason))).toEqual([
      ...Array.from({ length: 2 + list.length }, () => null),
      'stop',
    ]);
    expect(chunks[0]).toMatchObject({ id: 'i', object: 'chat.completion.chunk', created: 1, model: 'm' });
    expect(stream).toContain('"annotations":[{"type":"url_citation"');
  });
});
