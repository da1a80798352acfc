import { Box, Group, Progress, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import type { UsageShare } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { QueryState } from '../../components/query.js';
import { DataTable } from '../../components/table.js';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { BudgetsForm } from './budgets-form.js';
import { Costs } from './own-usage.js';
import { PricesForm } from './prices-form.js';
import { daysOf, KEYS, type Period, PERIODS, type UsageKey, withEmptyDays } from './usage-days.js';
import { sharesQuery } from './usage-shares.js';

const PLOT_WIDTH = 720;
const PLOT_HEIGHT = 180;
const BAR_GAP = 0.25;

const MAX_BAR_LABELS = 8;

const COLORS = {
  input: 'var(--mantine-primary-color-filled)',
  output: 'var(--mantine-color-orange-5)',
} as const;
/** More months are one bar each. */
const MAX_DAYS = 62;

/** For owners: who has used how much, and what it costs, as a plot and as a table. */
export function SharesPanel(): ReactNode {
  const { text: record } = useTexts('audit-and-usage');
  const [by, setBy] = useState<UsageKey>('day');
  const [period, setPeriod] = useState<Period>('thisMonth');
  const shares = useQuery(sharesQuery(by, period));
  return (
    <Stack gap="lg" mt="xl">
      <BudgetsForm />
      <Title order={2}>{record('usage.shares')}</Title>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={record('usage.shares')}
          value={by}
          onChange={(value) => setBy(value as UsageKey)}
          data={KEYS.map((value) => ({ value, label: record(`usage.by.${value}`) }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={record('usage.period')}
          value={period}
          onChange={(value) => setPeriod(value as Period)}
          data={PERIODS.map((value) => ({ value, label: record(`usage.period.${value}`) }))}
        />
      </Group>
      <QueryState of={shares} height={240} />
      {shares.isSuccess && shares.data.length === 0 && <Text c="dimmed">{record('usage.none')}</Text>}
      {shares.isSuccess && shares.data.length > 0 && (
        <>
          {by === 'day' && <DaysPlot shares={withEmptyDays(shares.data, daysOf(period))} />}
          <SharesTable shares={by === 'day' ? shares.data.toReversed() : shares.data} by={by} />
        </>
      )}
      <PricesForm />
    </Stack>
  );
}

function DaysPlot({ shares }: { shares: readonly UsageShare[] }): ReactNode {
  const { language, number } = useTranslator();
  const { text: record } = useTexts('audit-and-usage');
  const isByMonth = shares.length > MAX_DAYS;
  const sums = new Map<string, { input: number; output: number }>();
  for (const { id, inputTokens, outputTokens } of shares) {
    const key = (id ?? '').slice(0, isByMonth ? 7 : 10);
    const { input, output } = sums.get(key) ?? { input: 0, output: 0 };
    sums.set(key, { input: input + inputTokens, output: output + outputTokens });
  }
  const format = new Intl.DateTimeFormat(
    language,
    isByMonth ? { month: 'short', timeZone: 'UTC' } : { day: 'numeric', month: 'short', timeZone: 'UTC' },
  );
  const bars = [...sums].map(([key, { input, output }]) => {
    const label = format.format(new Date(isByMonth ? `${key}-01` : key));
    return {
      key,
      label,
      title: `${label}: ${number(input)} + ${number(output)}`,
      parts: [
        { value: input, color: COLORS.input },
        { value: output, color: COLORS.output },
      ],
    };
  });
  const most = Math.max(...[...sums.values()].map(({ input, output }) => input + output));
  return (
    <Stack gap="xs">
      <Group gap="md">
        {(['input', 'output'] as const).map((kind) => (
          <Group key={kind} gap={6}>
            <Box w={12} h={12} bg={COLORS[kind]} />
            <Text size="sm">{record(`usage.${kind}`)}</Text>
          </Group>
        ))}
      </Group>
      <BarPlot bars={bars} highest={number(most)} />
    </Stack>
  );
}

function SharesTable({ shares, by }: { shares: readonly UsageShare[]; by: UsageKey }): ReactNode {
  const { number } = useTranslator();
  const { text: record } = useTexts('audit-and-usage');
  const tokensOf = ({ inputTokens, outputTokens }: UsageShare): number => inputTokens + outputTokens;
  const most = Math.max(1, ...shares.map(tokensOf));
  const estimated = shares.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  return (
    <Stack gap="xs">
      <DataTable
        minWidth={640}
        columns={[
          <Table.Th w="30%">{record(`usage.of.${by}`)}</Table.Th>,
          <Table.Th ta="end">{record('usage.questions')}</Table.Th>,
          <Table.Th ta="end">{record('usage.input')}</Table.Th>,
          <Table.Th ta="end">{record('usage.output')}</Table.Th>,
          <Table.Th ta="end">{record('usage.cost')}</Table.Th>,
        ]}
        isDense
      >
        {shares.map((share) => (
          <Table.Tr key={`${share.kind} ${share.id}`}>
            <Table.Td>
              <ShareName share={share} />
              {by !== 'day' && <Progress size="xs" value={(tokensOf(share) / most) * 100} aria-hidden />}
            </Table.Td>
            <Table.Td ta="end">{number(share.questions)}</Table.Td>
            <Table.Td ta="end">{number(share.inputTokens)}</Table.Td>
            <Table.Td ta="end">{number(share.outputTokens)}</Table.Td>
            <Table.Td ta="end">
              <Costs totals={share} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {estimated > 0 && (
        <Text size="xs" c="dimmed">
          {record('usage.estimated', { tokens: estimated })}
        </Text>
      )}
    </Stack>
  );
}

function ShareName({ share: { kind, id, name } }: { share: UsageShare }): ReactNode {
  const { language } = useTranslator();
  const { text: record } = useTexts('audit-and-usage');
  if (kind === 'day') {
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
    return <Text size="sm">{day.format(new Date(id ?? ''))}</Text>;
  }
  const ofNobody = record(kind === 'agent' ? 'usage.tests' : 'usage.evaluations');
  const shown = id === null ? ofNobody : (name ?? record('usage.gone'));
  return (
    <>
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }} {...(id !== null && { title: id })}>
        {shown}
      </Text>
      {(kind === 'key' || kind === 'visitors') && (
        <Text size="xs" c="dimmed">
          {record(kind === 'key' ? 'audit.key' : 'usage.visitors')}
        </Text>
      )}
    </>
  );
}

interface Bar {
  key: string;
  label: string;
  /** Parts of the bar, from the bottom. */
  parts: readonly { value: number; color: string }[];
  /** Said of the bar when somebody points at it. */
  title: string;
}

/** Bars beside each other. The table below says the same to those who do not see it. */
function BarPlot({ bars, highest }: { bars: readonly Bar[]; highest: string }): ReactNode {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const slot = PLOT_WIDTH / Math.max(1, bars.length);
  const step = Math.ceil(bars.length / MAX_BAR_LABELS);
  return (
    <Box aria-hidden>
      <Text size="xs" c="dimmed">
        {highest}
      </Text>
      <svg
        viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`}
        width="100%"
        height={PLOT_HEIGHT}
        preserveAspectRatio="none"
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1={0}
            x2={PLOT_WIDTH}
            y1={PLOT_HEIGHT * share}
            y2={PLOT_HEIGHT * share}
            stroke="var(--mantine-color-default-border)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map(({ key, parts, title }, index) => {
          let top = PLOT_HEIGHT;
          return (
            <g key={key}>
              <title>{title}</title>
              {parts.map(({ value, color }) => {
                const height = (value / most) * PLOT_HEIGHT;
                top -= height;
                return (
                  <rect
                    key={color}
                    x={(index + BAR_GAP / 2) * slot}
                    width={slot * (1 - BAR_GAP)}
                    y={top}
                    height={height}
                    fill={color}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <Box style={{ display: 'flex', overflowX: 'clip' }}>
        {bars.map(({ key, label }, index) => (
          <Text
            key={key}
            size="xs"
            c="dimmed"
            style={{ flex: 1, minWidth: 0, overflow: 'visible', whiteSpace: 'nowrap' }}
          >
            {index % step === 0 ? label : ''}
          </Text>
        ))}
      </Box>
    </Box>
  );
}
