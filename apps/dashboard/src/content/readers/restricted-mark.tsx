import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { useTranslator } from '../../messages/messages.js';

/** A lock beside the name of a library that is for chosen people and groups only. */
export function RestrictedMark(): ReactNode {
  const { text } = useTranslator();
  const label = text('readers.restricted');
  return (
    <Box component="span" role="img" aria-label={label} title={label} c="dimmed" display="inline-flex">
      <Icon name="lock" size={16} />
    </Box>
  );
}
