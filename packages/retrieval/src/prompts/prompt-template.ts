const PLACEHOLDER = /\{(query|context)\}/g;

/**
 * Fills a user prompt. Substitution is literal and done in one pass: `$&` or `{context}` inside a question stays
 * text. A template without `{query}` has the question appended; without `{context}` no passages are shown.
 */
export function renderPrompt(template: string, values: { query: string; context: string }): string {
  let asksQuery = false;
  const prompt = template.replace(PLACEHOLDER, (_, name: string) => {
    if (name === 'context') return values.context;
    asksQuery = true;
    return values.query;
  });
  if (asksQuery) return prompt;
  return prompt.trim() === '' ? values.query : `${prompt}\n\n${values.query}`;
}

/** Whether a template shows passages at all: an agent answers from its documents only if it does. */
export function usesContext(template: string): boolean {
  return template.includes('{context}');
}
