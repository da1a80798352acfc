import { CUSTOMER_SUPPORT_PREAMBLE, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import { resolvePrompts, resolveSampling } from './prompts.js';

const unset = { systemPrompt: '', userPrompt: '', promptType: '', promptTemplate: '' };

describe('resolvePrompts', () => {
  it('prefers the request to the agent, and the agent to the default', () => {
    const agent = { ...unset, systemPrompt: 'agent', userPrompt: '{query}!' };
    expect(resolvePrompts({}, unset)).toEqual({ system: DEFAULT_SYSTEM_PROMPT, user: DEFAULT_USER_PROMPT });
    expect(resolvePrompts({}, agent)).toEqual({ system: 'agent', user: '{query}!' });
    expect(resolvePrompts({ systemPrompt: 'request' }, agent)).toEqual({
      system: 'request',
      user: '{query}!',
    });
    expect(resolvePrompts({ systemPrompt: '', userPrompt: null }, agent)).toEqual({
      system: 'agent',
      user: '{query}!',
    });
  });

  it('uses only the template for the type raw', () => {
    const agent = { ...unset, promptType: 'raw', promptTemplate: 'Say {query}' };
    expect(resolvePrompts({}, agent)).toEqual({ system: '', user: 'Say {query}' });
    expect(resolvePrompts({ promptType: 'raw', promptTemplate: 'Ask {query}' }, unset)).toEqual({
      system: '',
      user: 'Ask {query}',
    });
    expect(resolvePrompts({ promptTemplate: 'Ask {query}' }, agent)).toEqual({
      system: '',
      user: 'Ask {query}',
    });
  });

  it('puts the preamble before the template or system prompt for the type customer_support', () => {
    const agent = { ...unset, systemPrompt: 'We sell tea.' };
    const { system } = resolvePrompts({ promptType: 'customer_support' }, agent);
    expect(system.startsWith(CUSTOMER_SUPPORT_PREAMBLE)).toBe(true);
    expect(system.endsWith('We sell tea.')).toBe(true);
    expect(resolvePrompts({}, { ...agent, promptType: 'customer_support' }).system).toEqual(system);
    const template = resolvePrompts({ promptType: 'customer_support', promptTemplate: 'Be brief.' }, agent);
    expect(template.system.endsWith('Be brief.')).toBe(true);
  });

  it('prefers current fields to deprecated ones of the same request or agent', () => {
    const agent = {
      systemPrompt: 'new',
      userPrompt: 'new {query}',
      promptType: 'raw',
      promptTemplate: 'old {query}',
    };
    expect(resolvePrompts({}, agent)).toEqual({ system: 'new', user: 'new {query}' });
    expect(
      resolvePrompts({ userPrompt: 'now {query}', promptType: 'raw', promptTemplate: 'old' }, unset).user,
    ).toEqual('now {query}');
  });
});

describe('resolveSampling', () => {
  it('treats a temperature of 0 as given', () => {
    const query = { query: 'q', conversationId: undefined, visitorId: undefined, filters: null };
    expect(resolveSampling({ ...query, temperature: 0 }, { temperature: 0.7 }).temperature).toBe(0);
    expect(resolveSampling(query, { temperature: 0.7 }).temperature).toBe(0.7);
    expect(resolveSampling({ ...query, maxTokens: 5, topP: null }, { temperature: 0 })).toEqual({
      temperature: 0,
      maxTokens: 5,
    });
  });
});
