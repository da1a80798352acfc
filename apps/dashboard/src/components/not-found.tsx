import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.js';
import { useTranslator } from '../messages/messages.js';

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
