import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Bar {
  key: string;
  label: string;
  /** Parts of the bar, from the bottom. */
  parts: readonly { value: number; color: string }[];
  /** Said of the bar when somebody points at it. */
  title: string;
}

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 0.25;
/** Labels of bars have room for so many. */
const MAX_LABELS = 8;

/** Bars beside each other. The table below says the same to those who do not see it. */
export function BarPlot({ bars, highest }: { bars: readonly Bar[]; highest: string }): ReactNode {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const slot = WIDTH / Math.max(1, bars.length);
  const step = Math.ceil(bars.length / MAX_LABELS);
  return (
    <Box aria-hidden>
      <Text size="xs" c="dimmed">
        {highest}
      </Text>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none">
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1={0}
            x2={WIDTH}
            y1={HEIGHT * share}
            y2={HEIGHT * share}
            stroke="var(--mantine-color-default-border)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map(({ key, parts, title }, index) => {
          let top = HEIGHT;
          return (
            <g key={key}>
              <title>{title}</title>
              {parts.map(({ value, color }) => {
                const height = (value / most) * HEIGHT;
                top -= height;
                return (
                  <rect
                    key={color}
                    x={(index + GAP / 2) * slot}
                    width={slot * (1 - GAP)}
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
      <Box style={{ display: 'flex' }}>
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
