import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { DEFAULT_USER_PROMPT } from './default-prompts.js';
import { renderPrompt, usesContext } from './prompt-template.js';

describe('renderPrompt', () => {
  it('substitutes every placeholder literally, in one pass', () => {
    const values = { query: "$& $1 $' {context}", context: '{query} $$' };
    assert.equal(
      renderPrompt('{context}|{query}|{query}|{other}', values),
      `{query} $$|$& $1 $' {context}|$& $1 $' {context}|{other}`,
    );
  });

  it('appends the question to a template without {query}', () => {
    assert.equal(renderPrompt('From {context}:', { query: 'Why?', context: 'x' }), 'From x:\n\nWhy?');
    assert.equal(renderPrompt('', { query: 'Why?', context: 'x' }), 'Why?');
    assert.equal(renderPrompt('{context}', { query: 'Why?', context: '{query}' }), '{query}\n\nWhy?');
  });
});

describe('usesContext', () => {
  it('returns whether a template has {context}', () => {
    assert.equal(usesContext(DEFAULT_USER_PROMPT), true);
    assert.equal(usesContext('{query}'), false);
  });
});
