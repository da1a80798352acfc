import { ActionIcon, Autocomplete, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ModelPricesState } from '@citewell/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { useTexts } from '../../messages/messages.js';
import { pricesQuery, savePrices } from './usage-shares.js';

const DEFAULT_CURRENCY = 'EUR';

/** What the organization pays for its models. */
export function PricesForm(): ReactNode {
  const prices = useQuery(pricesQuery);
  if (prices.isError) return <ErrorNotice error={prices.error} onRetry={() => void prices.refetch()} />;
  return prices.data ? <Form key={prices.dataUpdatedAt} stored={prices.data} /> : null;
}

function Form({ stored }: { stored: ModelPricesState }): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const queryClient = useQueryClient();
  const models = useQuery({ queryKey: ['models', 'names'], queryFn: () => client.models.list() });
  const [currency, setCurrency] = useState(stored.currency ?? DEFAULT_CURRENCY);
  const [rows, setRows] = useState(stored.models);
  const save = useMutation({
    mutationFn: () => savePrices({ currency, models: rows }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['usage'] }),
  });
  const change = (index: number, fields: Partial<ModelPricesState['models'][number]>): void =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...fields } : row)));
  const names = [...new Set(models.data?.chat.map(({ name }) => name))];
  return (
    <Stack gap="sm">
      <Title order={2}>{record('prices.title')}</Title>
      <Text c="dimmed" maw={640}>
        {record('prices.text')}
      </Text>
      {rows.map((row, index) => (
        // Rows have no name of their own while they are edited.
        <Group key={index} align="flex-end" gap="xs">
          <Autocomplete
            label={record('prices.model')}
            data={names}
            value={row.model}
            onChange={(model) => change(index, { model })}
            style={{ flex: '2 1 180px' }}
          />
          <TextInput
            label={record('prices.input')}
            inputMode="decimal"
            value={row.inputPerMillion}
            onChange={({ currentTarget }) =>
              change(index, { inputPerMillion: decimalOf(currentTarget.value) })
            }
            style={{ flex: '1 1 100px' }}
          />
          <TextInput
            label={record('prices.output')}
            inputMode="decimal"
            value={row.outputPerMillion}
            onChange={({ currentTarget }) =>
              change(index, { outputPerMillion: decimalOf(currentTarget.value) })
            }
            style={{ flex: '1 1 100px' }}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={record('prices.remove')}
            onClick={() => setRows(rows.filter((_, at) => at !== index))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group align="flex-end">
        <TextInput
          label={record('prices.currency')}
          value={currency}
          maxLength={3}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
          w={100}
        />
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() =>
            setRows([...rows, { model: names[0] ?? '', inputPerMillion: '', outputPerMillion: '' }])
          }
        >
          {record('prices.add')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {record('audit.save')}
        </Button>
      </Group>
      {save.isError && <ErrorNotice error={save.error} />}
    </Stack>
  );
}

/** People of many languages write a comma. */
export function decimalOf(text: string): string {
  return text.trim().replace(',', '.');
}
