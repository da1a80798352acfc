import type { AgentQuery } from '@citewell/contracts/http';
import type { AgentEntity } from '@citewell/database';
import { customerSupportPrompt, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';

/** The prompts that a query is answered with. */
export interface Prompts {
  /** Empty: the model gets no system message. */
  system: string;
  /** A template with `{query}` and `{context}`. */
  user: string;
}

interface PromptFields {
  systemPrompt?: string | null | undefined;
  userPrompt?: string | null | undefined;
  promptType?: string | null | undefined;
  promptTemplate?: string | null | undefined;
}

/**
 * Which prompts apply: what the request says, then what the agent says, then the default; in each of the two the
 * current fields before the deprecated ones. Empty strings count as not given. An agent of type `customer_support`
 * keeps its own system prompt, with our preamble before it.
 */
export function resolvePrompts(request: PromptFields, agent: PromptFields): Prompts {
  const fallback = deprecatedPrompts(agent, agent);
  const supportPrompt = agent.promptType === 'customer_support' ? fallback.system : undefined;
  // A request may name the type and leave the template to the agent, or the other way round.
  const legacy =
    request.promptType || request.promptTemplate
      ? deprecatedPrompts(
          {
            promptType: request.promptType || agent.promptType,
            promptTemplate: request.promptTemplate || agent.promptTemplate,
          },
          agent,
        )
      : {};
  return {
    system:
      request.systemPrompt ||
      (legacy.system ?? (supportPrompt || agent.systemPrompt || (fallback.system ?? DEFAULT_SYSTEM_PROMPT))),
    user: request.userPrompt || (legacy.user ?? (agent.userPrompt || (fallback.user ?? DEFAULT_USER_PROMPT))),
  };
}

/** What the deprecated fields mean in today's terms. */
function deprecatedPrompts(fields: PromptFields, agent: PromptFields): Partial<Prompts> {
  switch (fields.promptType) {
    case 'customer_support':
      return { system: customerSupportPrompt(fields.promptTemplate || agent.systemPrompt || '') };
    case 'raw':
      return fields.promptTemplate ? { system: '', user: fields.promptTemplate } : {};
    default:
      return {};
  }
}

/** Settings of a model call: request, then agent. `0` is a value, not an absence. */
export function resolveSampling(request: AgentQuery, agent: Pick<AgentEntity, 'temperature'>) {
  return {
    temperature: request.temperature ?? agent.temperature,
    ...optional('maxTokens', request.maxTokens),
    ...optional('topP', request.topP),
    ...optional('presencePenalty', request.presencePenalty),
    ...optional('frequencyPenalty', request.frequencyPenalty),
  };
}

function optional<Name extends string>(
  name: Name,
  value: number | null | undefined,
): { [Key in Name]?: number } {
  // A computed key widens to an index signature; the object has this one key or none.
  return (value === null || value === undefined ? {} : { [name]: value }) as { [Key in Name]?: number };
}
