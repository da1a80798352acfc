import { describe, expect, it } from '@jest/globals';
import { DEFAULT_USER_PROMPT, renderPrompt, usesContext } from './prompt-template.js';

describe('renderPrompt', () => {
  it('substitutes every placeholder literally, in one pass', () => {
    const values = { query: "$& $1 $' {context}", context: '{query} $$' };
    expect(renderPrompt('{context}|{query}|{query}|{other}', values)).toBe(
      `{query} $$|$& $1 $' {context}|$& $1 $' {context}|{other}`,
    );
  });

  it('appends the question to a template without {query}', () => {
    expect(renderPrompt('From {context}:', { query: 'Why?', context: 'x' })).toBe('From x:\n\nWhy?');
    expect(renderPrompt('', { query: 'Why?', context: 'x' })).toBe('Why?');
    expect(renderPrompt('{context}', { query: 'Why?', context: '{query}' })).toBe('{query}\n\nWhy?');
  });
});

describe('usesContext', () => {
  it('returns whether a template has {context}', () => {
    expect(usesContext(DEFAULT_USER_PROMPT)).toBe(true);
    expect(usesContext('{query}')).toBe(false);
  });
});
