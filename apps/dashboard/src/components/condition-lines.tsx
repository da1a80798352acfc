import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import { useTranslator } from '../messages/messages.js';

interface ConditionLinesProps<Condition> {
  value: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
  /** What a new line has. Undefined: no line can be added. */
  added: Condition | undefined;
  max: number;
  /** The fields of a line. */
  children: (condition: Condition, change: (changed: Condition) => void) => ReactNode;
}

/** Conditions that are edited, a line each, and can be added and removed. */
export function ConditionLines<Condition>({
  value: conditions,
  onChange,
  added,
  max,
  children,
}: ConditionLinesProps<Condition>): ReactNode {
  const { text } = useTranslator();
  return (
    <Stack gap="xs" align="flex-start">
      {conditions.map((condition, at) => (
        // Lines have no other identity than their place.
        <Group
          key={at}
          gap="xs"
          align="flex-end"
          role="group"
          aria-label={text('search.condition', { number: at + 1 })}
        >
          {children(condition, (changed) => onChange(conditions.with(at, changed)))}
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={text('search.removeCondition', { number: at + 1 })}
            onClick={() => onChange(conditions.toSpliced(at, 1))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      ))}
      {added !== undefined && conditions.length < max && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => onChange([...conditions, added])}
        >
          {text('search.addCondition')}
        </Button>
      )}
    </Stack>
  );
}
