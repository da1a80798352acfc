import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Logo(): ReactNode {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <Text fw={700} fz="lg">
        Citewell
      </Text>
    </Group>
  );
}
