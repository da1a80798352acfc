import {
  Button,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  Slider,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Agent } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Form } from '../../components/form.js';
import { datastoresQuery } from '../../content/datasources/content-queries.js';
import { useTranslator } from '../../messages/messages.js';
import { agentQuery, agentsQuery } from '../agents/agents.js';

const SETTINGS = [
  'name',
  'description',
  'datastoreIds',
  'systemPrompt',
  'restrictToSources',
  'minScore',
  'onUnsupported',
  'retentionDays',
  'temperature',
  'visibility',
] as const;

/** The settings of an agent that the form changes. */
export type AgentSettings = Pick<Agent, (typeof SETTINGS)[number]>;

export function settingsOf(agent: Agent): AgentSettings {
  const { name, description, datastoreIds, systemPrompt, restrictToSources, minScore } = agent;
  const { onUnsupported, retentionDays, temperature, visibility } = agent;
  return {
    name,
    description,
    datastoreIds,
    systemPrompt,
    restrictToSources,
    minScore,
    onUnsupported,
    retentionDays,
    temperature,
    visibility,
  };
}

/** The form of an agent's settings. They are saved together. */
export function AgentForm({
  agent,
  draft,
  onChange,
}: {
  agent: Agent;
  draft: AgentSettings;
  onChange: (draft: AgentSettings) => void;
}): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const datastores = useQuery(datastoresQuery);
  const change = (changes: Partial<AgentSettings>): void => onChange({ ...draft, ...changes });
  const isChanged = SETTINGS.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(agent[name]));
  const save = useMutation({
    mutationFn: () => {
      const { datastoreIds, visibility, retentionDays, ...settings } = draft;
      const more = {
        ...(agent.allDatastores ? {} : { datastoreIds, visibility }),
        ...(retentionDays === agent.retentionDays ? {} : { retentionDays }),
      };
      return client.agents.update(agent.id, { ...settings, ...more });
    },
    onSuccess: async (saved) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, saved);
      onChange(settingsOf(saved));
      await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey, exact: true });
    },
  });
  return (
    <Form onSubmit={() => save.mutate()}>
      <TextInput
        label={text('agents.name')}
        required
        maxLength={255}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={text('agents.description')}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      {agent.allDatastores ? (
        <Text size="sm">{text('agents.allLibrariesHint')}</Text>
      ) : (
        <MultiSelect
          label={text('agents.libraries')}
          description={text('agents.librariesHint')}
          data={datastores.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={draft.datastoreIds}
          onChange={(datastoreIds) => change({ datastoreIds })}
          searchable
        />
      )}
      <Textarea
        label={text('agents.prompt')}
        description={text('agents.promptHint')}
        autosize
        minRows={4}
        maxRows={16}
        value={draft.systemPrompt}
        onChange={(event) => change({ systemPrompt: event.currentTarget.value })}
      />
      <Switch
        label={text('agents.restrict')}
        description={text('agents.restrictHint')}
        checked={draft.restrictToSources}
        onChange={(event) => change({ restrictToSources: event.currentTarget.checked })}
      />
      <Input.Wrapper label={text('agents.minScore')} description={text('agents.minScoreHint')}>
        <Slider
          mt="xs"
          min={0}
          max={1}
          step={0.05}
          value={draft.minScore}
          onChange={(minScore) => change({ minScore })}
          thumbLabel={text('agents.minScore')}
        />
      </Input.Wrapper>
      <Switch
        label={text('agents.quoteUnsupported')}
        description={text('agents.quoteUnsupportedHint')}
        checked={draft.onUnsupported === 'quote'}
        onChange={(event) => change({ onUnsupported: event.currentTarget.checked ? 'quote' : 'mark' })}
      />
      <Switch
        label={text('agents.public')}
        description={text('agents.publicHint')}
        checked={draft.visibility === 'public'}
        disabled={agent.allDatastores}
        onChange={(event) => change({ visibility: event.currentTarget.checked ? 'public' : 'private' })}
      />
      <Input.Wrapper label={text('agents.temperature')} description={text('agents.temperatureHint')}>
        <Slider
          mt="xs"
          min={0}
          max={1}
          step={0.1}
          value={draft.temperature}
          onChange={(temperature) => change({ temperature })}
          thumbLabel={text('agents.temperature')}
        />
      </Input.Wrapper>
      <NumberInput
        label={text('agents.retention')}
        description={text('agents.retentionHint')}
        min={1}
        max={36_500}
        allowDecimal={false}
        value={draft.retentionDays ?? ''}
        onChange={(days) => change({ retentionDays: typeof days === 'number' ? days : null })}
      />
      {save.isError && <ErrorNotice error={save.error} />}
      <Group>
        <Button type="submit" loading={save.isPending} disabled={!isChanged}>
          {text('action.save')}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {isChanged ? text('agents.unsaved') : save.isSuccess && text('agents.saved')}
        </Text>
      </Group>
    </Form>
  );
}
