import { Paper, type PolymorphicComponentProps, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card.module.css';

/** A grid of cards, with placeholders while they are loading. */
export function Cards({ isLoading, children }: { isLoading: boolean; children: ReactNode }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {isLoading && [1, 2, 3].map((key) => <Skeleton key={key} h={112} />)}
      {children}
    </SimpleGrid>
  );
}

interface CardProps {
  name: string;
  /** Before the name. */
  mark?: ReactNode;
  description: string;
  /** A line in small letters. */
  details: string;
  /** Renders the link that the whole card is. */
  renderRoot: NonNullable<PolymorphicComponentProps<'a'>['renderRoot']>;
}

/** A link with a name, a description and details. */
export function Card({ name, mark, description, details, renderRoot }: CardProps): ReactNode {
  return (
    <Paper withBorder p="md" className={classes['card'] ?? ''} renderRoot={renderRoot}>
      <Stack gap={4}>
        <Text fw={600} lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {mark} {name}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} mih={20} dir="auto">
          {description}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {details}
        </Text>
      </Stack>
    </Paper>
  );
}
