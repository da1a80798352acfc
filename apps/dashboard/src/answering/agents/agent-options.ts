import type { Agent } from '@citewell/sdk';
import type { Translator } from '../../messages/translator.js';

/** The name that the server gives to the agent of all libraries. */
const ALL_DOCUMENTS = 'All documents';

/** The name of an agent as people read it. */
export function agentName(
  { name, allDatastores }: Pick<Agent, 'name' | 'allDatastores'>,
  text: Translator['text'],
): string {
  return allDatastores && name === ALL_DOCUMENTS ? text('agents.all') : name;
}

/** The choices of a select. Agents with the same name also show when they were created. */
export function agentOptions(
  agents: readonly Pick<Agent, 'id' | 'name' | 'allDatastores' | 'timestamps'>[],
  { text, time }: Pick<Translator, 'text' | 'time'>,
): { value: string; label: string }[] {
  const names = agents.map((agent) => agentName(agent, text));
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  return agents.map((agent) => {
    const name = agentName(agent, text);
    return {
      value: agent.id,
      label: isUnique(name) ? name : `${name} · ${time(agent.timestamps.createdAt)}`,
    };
  });
}
