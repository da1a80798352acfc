import {
  type Agent,
  modelNameSchema,
  onUnsupportedSchema,
  promptTypeSchema,
  visibilitySchema,
} from '@citewell/contracts/schemas';
import type { AgentWithDatastores } from '@citewell/database';

/** The wire format of an agent. */
export function toAgent({ agent, datastoreIds }: AgentWithDatastores): Agent {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    modelName: modelNameSchema.parse(agent.modelName),
    temperature: agent.temperature,
    visibility: visibilitySchema.parse(agent.visibility),
    systemPrompt: agent.systemPrompt,
    userPrompt: agent.userPrompt,
    promptType: agent.promptType === '' ? '' : promptTypeSchema.parse(agent.promptType),
    promptTemplate: agent.promptTemplate,
    datastoreIds,
    restrictToSources: agent.restrictToSources,
    topK: agent.topK,
    minScore: agent.minScore,
    onUnsupported: onUnsupportedSchema.parse(agent.onUnsupported),
    retentionDays: agent.retentionDays,
    timestamps: { createdAt: agent.createdAt.toISOString(), updatedAt: agent.updatedAt.toISOString() },
  };
}
