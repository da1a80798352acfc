import { Button, Skeleton, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.js';

/**
 * A button that tries the configuration of a form, and the result as long as the form has this configuration.
 *
 * @param config null while the form is not complete
 */
export function Trial<Config, Result>({
  config,
  label,
  run,
  children,
}: {
  config: Config | null;
  label: string;
  run: (config: Config) => Promise<Result>;
  children: (result: Result) => ReactNode;
}): ReactNode {
  const trial = useMutation({ mutationFn: run });
  const isCurrent = JSON.stringify(trial.variables) === JSON.stringify(config);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        loading={trial.isPending}
        disabled={config === null}
        onClick={() => config !== null && trial.mutate(config)}
      >
        {label}
      </Button>
      {trial.isPending && <Skeleton h={120} />}
      {trial.isError && <ErrorNotice error={trial.error} />}
      {trial.data !== undefined && isCurrent && children(trial.data)}
    </Stack>
  );
}
