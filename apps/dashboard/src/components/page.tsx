import { Container, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslator } from '../messages/messages.js';

interface PageProps {
  title: string;
  /** After the title. */
  mark?: ReactNode;
  /** One sentence about what the page is for. */
  text?: string;
  /** At the right of the title; at most one of them is the primary button. */
  actions?: ReactNode;
  /** Above the title, such as a link back. */
  above?: ReactNode;
  children: ReactNode;
}

/** The frame of a page: its title, purpose and actions. */
export function Page({ title, mark, text, actions, above, children }: PageProps): ReactNode {
  useDocumentTitle(`${title} · Citewell`);
  return (
    <Container size="lg" py="xl" px="md" w="100%">
      <Stack gap="lg">
        <Stack gap={4}>
          {above}
          <Group justify="space-between" align="flex-start" gap="md">
            <Title order={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {title} {mark}
            </Title>
            {actions && <Group gap="xs">{actions}</Group>}
          </Group>
          {text && (
            <Text c="dimmed" maw={640} dir="auto">
              {text}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Container>
  );
}

/** A panel with a form, at the side of the page. */
export function SidePanel({
  isOpen,
  title,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const { text } = useTranslator();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {children}
    </Drawer>
  );
}
