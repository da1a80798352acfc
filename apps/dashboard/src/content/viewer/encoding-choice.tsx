import { Box, Select, Stack } from '@mantine/core';
import type { Datasource } from '@citewell/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useTranslator } from '../../messages/messages.js';
import { encodingsFor } from './encodings.js';

/** Chooses the encoding of a text whose detection is uncertain, or was chosen before. The file is read again. */
export function EncodingChoice({ datasource }: { datasource: Datasource }): ReactNode {
  const { text } = useTranslator();
  const queryClient = useQueryClient();
  const { id, config, error } = datasource;
  const chosen = typeof config['encoding'] === 'string' ? config['encoding'] : null;
  const choose = useMutation({
    mutationFn: (encoding: string | null) => {
      const config: Record<string, string | null> = { encoding };
      return client.datasources.update(id, { config });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
  const isUncertain = error?.code === 'ENCODING_UNCERTAIN';
  if (!isUncertain && chosen === null) return null;
  const offered = encodingsFor(isUncertain ? error.message : '');
  return (
    <Stack gap="xs">
      <Box maw={320}>
        <Select
          label={text('reader.encoding')}
          description={text('reader.encodingHint')}
          placeholder={text('reader.encodingDetected')}
          data={chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered]}
          value={chosen}
          onChange={(encoding) => choose.mutate(encoding)}
          disabled={choose.isPending}
          searchable
          clearable
        />
      </Box>
      {choose.isError && <ErrorNotice error={choose.error} />}
    </Stack>
  );
}
