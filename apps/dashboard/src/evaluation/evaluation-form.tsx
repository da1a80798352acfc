import { Button, FileButton, Group, NumberInput, Paper, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { agentsQuery } from '../answering/agents/agents.js';
import { agentOptions } from '../answering/agents/agent-options.js';
import { client, saveStream } from '../client.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useTranslator } from '../messages/messages.js';
import { useSession } from '../identity/sign-in/session.js';
import { readQuestionSet, writeQuestionSet } from './question-set.js';

/** What is chosen of a configuration. */
interface Side {
  readonly agentId: string | null;
  readonly minScore: number | null;
}

const NONE: Side = { agentId: null, minScore: null };

/** Chooses an agent and questions, and starts an evaluation. */
export function EvaluationForm(): ReactNode {
  const { text } = useTranslator();
  const { organization } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const agents = useQuery(agentsQuery);
  const [csv, setCsv] = useState(() => readQuestionSet(organization.id));
  const [isUnreadable, setUnreadable] = useState(false);
  const [side, setSide] = useState(NONE);
  const [baseline, setBaseline] = useState(NONE);
  const agentId = side.agentId ?? agents.data?.[0]?.id ?? null;
  const change = (questions: string): void => {
    setUnreadable(false);
    setCsv(questions);
    writeQuestionSet(organization.id, questions);
  };
  const start = useMutation({
    mutationFn: (id: string) =>
      client.evaluations.create({
        name: agents.data?.find((agent) => agent.id === id)?.name,
        configuration: configurationOf(id, side.minScore),
        ...(baseline.agentId === null
          ? {}
          : { baseline: configurationOf(baseline.agentId, baseline.minScore) }),
        csv,
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['evaluations'] });
      await navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: id } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (agentId !== null) start.mutate(agentId);
  };
  const open = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      change(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack>
        <Group align="flex-end">
          <Configuration
            label={text('ask.agent')}
            value={{ ...side, agentId }}
            onChange={setSide}
            isRequired
          />
          <Configuration label={text('evaluations.baseline')} value={baseline} onChange={setBaseline} />
        </Group>
        <Textarea
          label={text('evaluations.questions')}
          description={text('evaluations.questionsHint')}
          value={csv}
          onChange={(event) => change(event.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          error={isUnreadable && text('evaluations.notUtf8')}
        />
        {start.isError && <ErrorNotice error={start.error} />}
        <Group>
          <FileButton accept=".csv,text/csv" onChange={(file) => void open(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {text('evaluations.openFile')}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            onClick={() => void saveStream(new Blob([csv]).stream(), 'questions.csv')}
          >
            {text('evaluations.saveFile')}
          </Button>
          <Button type="submit" loading={start.isPending} disabled={agentId === null}>
            {text('evaluations.start')}
          </Button>
          <Text size="xs" c="dimmed">
            {text('evaluations.cost')}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

function Configuration({
  label,
  value: { agentId, minScore },
  onChange,
  isRequired = false,
}: {
  label: string;
  value: Side;
  onChange: (side: Side) => void;
  isRequired?: boolean;
}): ReactNode {
  const translator = useTranslator();
  const { text } = translator;
  const { data = [] } = useQuery(agentsQuery);
  return (
    <>
      <Select
        label={label}
        placeholder={text('evaluations.noBaseline')}
        clearable={!isRequired}
        searchable
        data={agentOptions(data, translator)}
        value={agentId}
        onChange={(id) => onChange({ agentId: id, minScore })}
      />
      <NumberInput
        label={text('evaluations.minScore')}
        placeholder={text('evaluations.minScoreHint')}
        min={0}
        max={1}
        step={0.05}
        decimalScale={2}
        disabled={agentId === null}
        value={minScore ?? ''}
        onChange={(value) => onChange({ agentId, minScore: typeof value === 'number' ? value : null })}
      />
    </>
  );
}

function configurationOf(agentId: string, minScore: number | null) {
  return { agentId, ...(minScore === null ? {} : { minScore }) };
}
