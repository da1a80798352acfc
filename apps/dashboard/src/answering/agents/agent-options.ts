import type { Agent } from '@citewell/sdk';

/** The choices of a select. Agents with the same name also show when they were created. */
export function agentOptions(
  agents: readonly Pick<Agent, 'id' | 'name' | 'timestamps'>[],
  time: (instant: string) => string,
): { value: string; label: string }[] {
  const names = agents.map(({ name }) => name);
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  return agents.map(({ id, name, timestamps }) => ({
    value: id,
    label: isUnique(name) ? name : `${name} · ${time(timestamps.createdAt)}`,
  }));
}
