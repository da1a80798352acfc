import { describe, expect, it } from '@jest/globals';
import { type ChatEvent, type ChatModel, ModelError } from '@citewell/models';
import { countTokens } from '@citewell/retrieval';
import { TokenMeter } from './model-usage.service.js';

const PROMPT = 'How long does it take to replace the seal?';
const REQUEST = { messages: [{ role: 'user' as const, content: PROMPT }] };
const INPUT = countTokens(PROMPT);

function modelOf(events: readonly (ChatEvent | Error)[], onSent = (): unknown => undefined): ChatModel {
  return {
    name: 'm',
    async *stream() {
      onSent();
      for (const event of events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

/** Asks a metered model as a caller does. @param pieces after which the caller stops */
async function ask(
  meter: TokenMeter,
  events: readonly (ChatEvent | Error)[],
  pieces = Infinity,
): Promise<void> {
  const controller = new AbortController();
  let left = pieces;
  if (left < 0) controller.abort();
  const model = meter.wrap(modelOf(events, () => left === 0 && controller.abort()));
  try {
    for await (const event of model.stream(REQUEST, { signal: controller.signal })) {
      if ('text' in event && (left -= 1) <= 0) controller.abort();
      controller.signal.throwIfAborted();
    }
  } catch {
    // The caller handles it.
  }
}

const usage = (inputTokens: number, outputTokens: number): ChatEvent => ({
  usage: { inputTokens, outputTokens },
});
const text = (piece: string): ChatEvent => ({ text: piece });
const DONE: ChatEvent = { finishReason: 'stop' };
const TWO_HOURS = countTokens('Two hours.');

describe('TokenMeter', () => {
  it.each<[name: string, events: (ChatEvent | Error)[], input: number, output: number, estimated: number]>([
    ['reports of the provider', [text('Two hours.'), DONE, usage(120, 7)], 120, 7, 0],
    [
      'a provider that reports nothing',
      [text('Two '), text('hours.'), DONE],
      INPUT,
      TWO_HOURS,
      INPUT + TWO_HOURS,
    ],
    [
      'a provider that reports no output',
      [text('Two hours.'), DONE, usage(120, 0)],
      120,
      TWO_HOURS,
      TWO_HOURS,
    ],
    ['a provider that reports no input', [text('Two hours.'), DONE, usage(0, 7)], INPUT, 7, INPUT],
    [
      'reasoning that was retracted',
      [text('Two'), { retracted: true }, text(' hours.'), DONE],
      INPUT,
      TWO_HOURS,
      INPUT + TWO_HOURS,
    ],
    ['an empty answer', [DONE, usage(120, 0)], 120, 0, 0],
    [
      'a failure after some text',
      [text('Two hours.'), new ModelError('transient', 'x')],
      INPUT,
      TWO_HOURS,
      INPUT + TWO_HOURS,
    ],
    ['a request that was refused', [new ModelError('permanent', 'x')], 0, 0, 0],
  ])('counts %s', async (_, events, inputTokens, outputTokens, estimatedTokens) => {
    const meter = new TokenMeter();
    await ask(meter, events);
    expect(meter.read()).toEqual({ inputTokens, outputTokens, estimatedTokens });
  });

  it('counts what was sent before a stop', async () => {
    const meter = new TokenMeter();
    await ask(meter, [text('Two hours.'), text(' Or three.'), DONE, usage(120, 9)], 1);
    expect(meter.read()).toEqual({
      inputTokens: INPUT,
      outputTokens: TWO_HOURS,
      estimatedTokens: INPUT + TWO_HOURS,
    });
  });

  it('counts a prompt that was sent when the client leaves before the first word', async () => {
    const meter = new TokenMeter();
    await ask(meter, [new Error('aborted')], 0);
    expect(meter.read()).toEqual({ inputTokens: INPUT, outputTokens: 0, estimatedTokens: INPUT });
  });

  it('counts nothing when the client has left before the request', async () => {
    const meter = new TokenMeter();
    await ask(meter, [new Error('aborted')], -1);
    expect(meter.read()).toEqual({ inputTokens: 0, outputTokens: 0, estimatedTokens: 0 });
  });

  it('adds all calls, and is empty without one', async () => {
    const meter = new TokenMeter();
    expect(meter.read()).toEqual({ inputTokens: 0, outputTokens: 0, estimatedTokens: 0 });
    await ask(meter, [new ModelError('permanent', 'too long')]);
    await ask(meter, [text('a'), DONE, usage(100, 1)]);
    await ask(meter, [text('b'), DONE, usage(50, 2)]);
    expect(meter.read()).toEqual({ inputTokens: 150, outputTokens: 3, estimatedTokens: 0 });
  });

  it('keeps the context of a model, and has none for a model without', async () => {
    const { signal } = new AbortController();
    const meter = new TokenMeter();
    expect(meter.wrap(modelOf([])).contextTokens).toBeUndefined();
    const known = meter.wrap({ ...modelOf([]), contextTokens: async () => 4_096 });
    expect(await known.contextTokens?.(signal)).toBe(4_096);
  });
});
