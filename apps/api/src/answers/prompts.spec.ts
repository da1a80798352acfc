import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CUSTOMER_SUPPORT_PREAMBLE, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';
import { resolvePrompts, resolveSampling } from './prompts.js';

const unset = { systemPrompt: '', userPrompt: '', promptType: '', promptTemplate: '' };

describe('resolvePrompts', () => {
  it('prefers the request to the agent, and the agent to the default', () => {
    const agent = { ...unset, systemPrompt: 'agent', userPrompt: '{query}!' };
    assert.deepEqual(resolvePrompts({}, unset), { system: DEFAULT_SYSTEM_PROMPT, user: DEFAULT_USER_PROMPT });
    assert.deepEqual(resolvePrompts({}, agent), { system: 'agent', user: '{query}!' });
    assert.deepEqual(resolvePrompts({ systemPrompt: 'request' }, agent), {
      system: 'request',
      user: '{query}!',
    });
    assert.deepEqual(resolvePrompts({ systemPrompt: '', userPrompt: null }, agent), {
      system: 'agent',
      user: '{query}!',
    });
  });

  it('uses only the template for the type raw', () => {
    const agent = { ...unset, promptType: 'raw', promptTemplate: 'Say {query}' };
    assert.deepEqual(resolvePrompts({}, agent), { system: '', user: 'Say {query}' });
    assert.deepEqual(resolvePrompts({ promptType: 'raw', promptTemplate: 'Ask {query}' }, unset), {
      system: '',
      user: 'Ask {query}',
    });
    assert.deepEqual(resolvePrompts({ promptTemplate: 'Ask {query}' }, agent), {
      system: '',
      user: 'Ask {query}',
    });
  });

  it('puts the preamble before the template or system prompt for the type customer_support', () => {
    const agent = { ...unset, systemPrompt: 'We sell tea.' };
    const { system } = resolvePrompts({ promptType: 'customer_support' }, agent);
    assert.ok(system.startsWith(CUSTOMER_SUPPORT_PREAMBLE) && system.endsWith('We sell tea.'));
    assert.deepEqual(resolvePrompts({}, { ...agent, promptType: 'customer_support' }).system, system);
    const template = resolvePrompts({ promptType: 'customer_support', promptTemplate: 'Be brief.' }, agent);
    assert.ok(template.system.endsWith('Be brief.'));
  });

  it('prefers current fields to deprecated ones of the same request or agent', () => {
    const agent = {
      systemPrompt: 'new',
      userPrompt: 'new {query}',
      promptType: 'raw',
      promptTemplate: 'old {query}',
    };
    assert.deepEqual(resolvePrompts({}, agent), { system: 'new', user: 'new {query}' });
    assert.deepEqual(
      resolvePrompts({ userPrompt: 'now {query}', promptType: 'raw', promptTemplate: 'old' }, unset).user,
      'now {query}',
    );
  });
});

describe('resolveSampling', () => {
  it('treats a temperature of 0 as given', () => {
    const query = { query: 'q', conversationId: undefined, visitorId: undefined, filters: null };
    assert.equal(resolveSampling({ ...query, temperature: 0 }, { temperature: 0.7 }).temperature, 0);
    assert.equal(resolveSampling(query, { temperature: 0.7 }).temperature, 0.7);
    assert.deepEqual(resolveSampling({ ...query, maxTokens: 5, topP: null }, { temperature: 0 }), {
      temperature: 0,
      maxTokens: 5,
    });
  });
});
