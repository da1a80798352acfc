import { Stack, Text, Title } from '@mantine/core';
import type { EvaluationResult, MinimumScorePoint } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

const WIDTH = 640;
const HEIGHT = 260;
const PAD = 36;
const MARGIN = 12;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const REFUSED = 'var(--mantine-color-orange-7)';
const RECOGNISED = 'var(--mantine-color-blue-6)';

const x = (value: number): number => PAD + value * (WIDTH - PAD - MARGIN);
const y = (share: number): number => MARGIN + (1 - share) * (HEIGHT - MARGIN - PAD);

/** What other minimum scores would refuse, and which one is proposed. */
export function MinimumScore({ result }: { result: EvaluationResult }): ReactNode {
  const { text, number, language } = useTranslator();
  const { curve, minScore, proposedMinScore: proposed } = result;
  const percent = (share: number): string =>
    new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  const line = (share: keyof Omit<MinimumScorePoint, 'minScore'>, colour: string): ReactNode => (
    <polyline
      fill="none"
      stroke={colour}
      strokeWidth={2}
      points={curve.map((point) => `${x(point.minScore)},${y(point[share])}`).join(' ')}
    />
  );
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{text('evaluations.minScore')}</Title>
      <Text>
        {proposed
          ? text('evaluations.proposed', {
              minimum: number(proposed.minScore),
              refused: percent(proposed.refused),
              recognised: percent(proposed.recognised),
            })
          : text('evaluations.notProposed')}
      </Text>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={text('evaluations.plot')}
        style={{ width: '100%', maxWidth: WIDTH, fontSize: 12, fill: 'currentColor' }}
      >
        {TICKS.map((tick) => (
          <g key={tick}>
            <line
              x1={x(0)}
              x2={x(1)}
              y1={y(tick)}
              y2={y(tick)}
              stroke="var(--mantine-color-default-border)"
            />
            <text x={PAD - 6} y={y(tick) + 4} textAnchor="end">
              {number(tick)}
            </text>
            <text x={x(tick)} y={HEIGHT - 14} textAnchor="middle">
              {number(tick)}
            </text>
          </g>
        ))}
        {line('refused', REFUSED)}
        {line('recognised', RECOGNISED)}
        <Mark value={minScore} label={text('evaluations.used')} row={0} />
        {proposed && <Mark value={proposed.minScore} label={text('evaluations.proposedMark')} row={1} />}
      </svg>
      <Text size="xs" c="dimmed">
        <span style={{ color: REFUSED }}>●</span> {text('evaluations.plotRefused')}{' '}
        <span style={{ color: RECOGNISED }}>●</span> {text('evaluations.plotRecognised')}
      </Text>
    </Stack>
  );
}

function Mark({ value, label, row }: { value: number; label: string; row: number }): ReactNode {
  const { number } = useTranslator();
  const isRight = value > 0.7;
  return (
    <g>
      <line x1={x(value)} x2={x(value)} y1={y(1)} y2={y(0)} stroke="currentColor" strokeDasharray="4" />
      <text x={x(value) + (isRight ? -6 : 6)} y={y(1) + 16 + row * 18} textAnchor={isRight ? 'end' : 'start'}>
        {`${label} ${number(value)}`}
      </text>
    </g>
  );
}
