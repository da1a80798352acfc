import { Button, type ButtonProps, Stack, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorNotice } from './error-notice.js';

/** A form with its fields below each other. */
export function Form({
  onSubmit,
  ...fields
}: Omit<StackProps, 'onSubmit'> & { onSubmit: () => void; children: ReactNode }): ReactNode {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack {...fields} />
    </form>
  );
}

interface SubmitButtonProps extends ButtonProps {
  /** The mutation of the form. */
  of: { error: unknown; isPending: boolean };
  children: ReactNode;
}

/** The button of a form, below the error of the last attempt. */
export function SubmitButton({ of: { error, isPending }, ...button }: SubmitButtonProps): ReactNode {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Button type="submit" loading={isPending} {...button} />
    </>
  );
}
