import { Button, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';
import { Icon, type IconName } from './icon.js';

/** What to do on a page that has nothing to show yet. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="sm" maw={440} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light">
          <Icon name={icon} size={24} />
        </ThemeIcon>
        <Title order={2}>{title}</Title>
        {children && <Text c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Center>
  );
}

export function NotFound(): ReactNode {
  const { text } = useTranslator();
  return (
    <EmptyState
      icon="search"
      title={text('error.page')}
      action={
        <Button component={Link} to="/ask">
          {text('error.home')}
        </Button>
      }
    />
  );
}
