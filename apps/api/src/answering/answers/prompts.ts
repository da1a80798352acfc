import type { AgentQuery } from '@citewell/contracts/schemas';
import type { AgentEntity } from '@citewell/database';
import { customerSupportPrompt, DEFAULT_SYSTEM_PROMPT, DEFAULT_USER_PROMPT } from '@citewell/retrieval';

/** The prompts of a model call. */
export interface Prompts {
  /** Empty: no system message is sent. */
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
 * Chooses the prompts: those of the request, then those of the agent, then the default. In the request and in
 * the agent, current fields take precedence over deprecated ones. Empty strings count as absent. An agent of
 * type `customer_support` keeps its own system prompt, after `CUSTOMER_SUPPORT_PREAMBLE`.
 */
export function resolvePrompts(request: PromptFields, agent: PromptFields): Prompts {
  const agentDeprecated = deprecatedPrompts(agent, agent);
  const supportPrompt = agent.promptType === 'customer_support' ? agentDeprecated.system : undefined;
  // A request may give the type and take the template from the agent, or the other way round.
  const requestDeprecated =
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
      (requestDeprecated.system ??
        (supportPrompt || agent.systemPrompt || (agentDeprecated.system ?? DEFAULT_SYSTEM_PROMPT))),
    user:
      request.userPrompt ||
      (requestDeprecated.user ?? (agent.userPrompt || (agentDeprecated.user ?? DEFAULT_USER_PROMPT))),
  };
}

/** The prompts that the deprecated fields stand for. */
function deprecatedPrompts(fields: PromptFields, agent: PromptFields): Partial<Prompts> {
  const { promptType, promptTemplate } = fields;
  if (promptType === 'customer_support')
    return { system: customerSupportPrompt(promptTemplate || agent.systemPrompt || '') };
  // `raw`: the template is the whole prompt, without a system prompt.
  if (promptType === 'raw' && promptTemplate) return { system: '', user: promptTemplate };
  return {};
}

/**
 * The sampling parameters of a model call: those of the request, then those of the agent. `0` counts as
 * given.
 */
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
  // TypeScript widens a computed key to an index signature. The object has this one key or none.
  return (value === null || value === undefined ? {} : { [name]: value }) as { [Key in Name]?: number };
}
