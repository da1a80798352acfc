import {
  ActionIcon,
  Alert,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { BudgetState } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { agentName } from '../../answering/agents/agent-options.js';
import { agentsQuery } from '../../answering/agents/agents.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { peopleQuery } from '../../identity/people/people.js';
import { decimalOf } from './prices-form.js';
import { budgetsQuery, saveBudgets } from './usage-shares.js';

const MEASURES = ['questions', 'tokens', 'cost'] as const;

interface Row {
  /** `organization`, `person`, `agent`, or one of the last two with an id: `person <id>`. */
  subject: string;
  measure: BudgetState['measure'];
  amount: string;
  warnPercent: number;
}

const NEW_ROW: Row = { subject: 'organization', measure: 'questions', amount: '', warnPercent: 80 };

/** The monthly budgets: a warning about those that are nearly used up, what was used, and a form. */
export function BudgetsForm(): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const budgets = useQuery(budgetsQuery);
  if (budgets.isError) return <ErrorNotice error={budgets.error} onRetry={() => void budgets.refetch()} />;
  if (!budgets.data) return null;
  const worst = budgets.data.filter(({ state }) => state !== 'ok');
  return (
    <Stack gap="sm">
      <Title order={2}>{record('budgets.title')}</Title>
      <Text c="dimmed" maw={640}>
        {record('budgets.text')}
      </Text>
      {worst.length > 0 && (
        <Alert
          role="alert"
          color={worst.some(({ state }) => state === 'reached') ? 'red' : 'yellow'}
          icon={<Icon name="warning" />}
        >
          {worst.map((budget) => (
            <BudgetLine key={budget.id} budget={budget} />
          ))}
        </Alert>
      )}
      <Form key={budgets.dataUpdatedAt} stored={budgets.data} />
    </Stack>
  );
}

function BudgetLine({ budget }: { budget: BudgetState }): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const { number } = useTranslator();
  const { subject, name, measure, used, amount, state } = budget;
  const who = name ?? record(`budgets.${subject}`);
  const values = {
    who,
    measure: record(`budgets.${measure}`),
    used: number(Number(used)),
    amount: number(Number(amount)),
  };
  return (
    <Text size="sm">{record(`budgets.line.${state === 'reached' ? 'reached' : 'warning'}`, values)}</Text>
  );
}

function Form({ stored }: { stored: readonly BudgetState[] }): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const queryClient = useQueryClient();
  const [rows, setRows] = useState(() => stored.map(rowOf));
  const save = useMutation({
    mutationFn: () => saveBudgets({ budgets: rows.map(budgetOf) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['usage'] }),
  });
  return (
    <>
      {rows.map((row, index) => (
        // Rows have no id before they are saved.
        <BudgetRow
          key={index}
          row={row}
          stored={stored[index]}
          onChange={(fields) =>
            setRows(rows.map((other, at) => (at === index ? { ...other, ...fields } : other)))
          }
          onRemove={() => setRows(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setRows([...rows, NEW_ROW])}
        >
          {record('budgets.add')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {record('audit.save')}
        </Button>
      </Group>
      {save.isError && <ErrorNotice error={save.error} />}
    </>
  );
}

interface BudgetRowProps {
  row: Row;
  /** The budget before it was edited, with what was used of it. */
  stored: BudgetState | undefined;
  onChange: (fields: Partial<Row>) => void;
  onRemove: () => void;
}

function BudgetRow({ row, stored, onChange, onRemove }: BudgetRowProps): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const { number } = useTranslator();
  const subjects = useSubjects();
  const isStored = stored !== undefined && JSON.stringify(rowOf(stored)) === JSON.stringify(row);
  return (
    <Group align="flex-end" gap="xs">
      <Select
        label={record('budgets.subject')}
        data={subjects}
        allowDeselect={false}
        searchable
        value={row.subject}
        onChange={(subject) => onChange({ subject: subject ?? row.subject })}
        style={{ flex: '2 1 170px' }}
      />
      <Select
        label={record('budgets.measure')}
        data={MEASURES.map((value) => ({ value, label: record(`budgets.${value}`) }))}
        allowDeselect={false}
        value={row.measure}
        onChange={(measure) => onChange({ measure: (measure ?? row.measure) as Row['measure'] })}
        style={{ flex: '1 1 120px' }}
      />
      <TextInput
        label={record('budgets.amount')}
        inputMode="decimal"
        value={row.amount}
        onChange={({ currentTarget }) => onChange({ amount: decimalOf(currentTarget.value) })}
        style={{ flex: '1 1 100px' }}
      />
      <NumberInput
        label={record('budgets.warn')}
        min={1}
        max={100}
        allowDecimal={false}
        value={row.warnPercent}
        onChange={(value) => onChange({ warnPercent: Number(value) || NEW_ROW.warnPercent })}
        style={{ flex: '0 1 110px' }}
      />
      <ActionIcon variant="default" size="lg" aria-label={record('budgets.remove')} onClick={onRemove}>
        <Icon name="trash" size={16} />
      </ActionIcon>
      {isStored && (
        <Text size="sm" mb={8} {...(stored.state === 'ok' ? { c: 'dimmed' } : { fw: 600 })}>
          {record('budgets.used', { used: number(Number(stored.used)) })}
        </Text>
      )}
    </Group>
  );
}

/** Whom a budget can be about. */
function useSubjects(): { value: string; label: string }[] {
  const { text: record } = useTexts('audit-and-usage');
  const { text } = useTranslator();
  const people = useQuery(peopleQuery);
  const agents = useQuery(agentsQuery);
  return [
    { value: 'organization', label: record('budgets.organization') },
    { value: 'person', label: record('budgets.person') },
    { value: 'agent', label: record('budgets.agent') },
    ...(people.data ?? []).map(({ id, name, email }) => ({
      value: `person ${id}`,
      label: name ?? email ?? id,
    })),
    ...(agents.data ?? []).map((agent) => ({ value: `agent ${agent.id}`, label: agentName(agent, text) })),
  ];
}

function rowOf({ subject, subjectId, measure, amount, warnPercent }: BudgetState): Row {
  return { subject: subjectId === null ? subject : `${subject} ${subjectId}`, measure, amount, warnPercent };
}

function budgetOf({ subject, ...budget }: Row) {
  const [kind, id = null] = subject.split(' ');
  // `Row` has these kinds only.
  return { subject: kind as BudgetState['subject'], subjectId: id, ...budget };
}
