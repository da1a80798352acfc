import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { DEFAULT_USER_PROMPT } from './default-prompts.js';
import { renderPrompt, usesContext } from './prompt-template.js';

describe('renderPrompt', () => {
  it('substitutes literally, in one pass, everywhere', () => {
    const values = { query: "$& $1 $' {context}", context: '{query} $$' };
    assert.equal(
      renderPrompt('{context}|{query}|{query}|{other}', values),
      `{query} $$|$& $1 $' {context}|$& $1 $' {context}|{other}`,
    );
  });

  it('appends the question to a template without it', () => {
    assert.equal(renderPrompt('From {context}:', { query: 'Why?', context: 'x' }), 'From x:\n\nWhy?');
    assert.equal(renderPrompt('', { query: 'Why?', context: 'x' }), 'Why?');
    assert.equal(renderPrompt('{context}', { query: 'Why?', context: '{query}' }), '{query}\n\nWhy?');
  });

  it('knows whether passages are shown', () => {
    assert.equal(usesContext(DEFAULT_USER_PROMPT), true);
    assert.equal(usesContext('{query}'), false);
  });
});
