const PLACEHOLDER = /\{(query|context)\}/g;

/**
 * Renders a user prompt. Substitution is literal and in one pass: `$&` or `{context}` in a question is not
 * expanded. The question is appended to a template without `{query}`. Without `{context}` no passages are
 * shown.
 */
export function renderPrompt(template: string, values: { query: string; context: string }): string {
  let hasQuery = false;
  const prompt = template.replace(PLACEHOLDER, (_, name: string) => {
    if (name === 'context') return values.context;
    hasQuery = true;
    return values.query;
  });
  if (hasQuery) return prompt;
  return prompt.trim() === '' ? values.query : `${prompt}\n\n${values.query}`;
}

/** Whether a template shows passages. If not, the agent does not answer from its documents. */
export function usesContext(template: string): boolean {
  return template.includes('{context}');
}
