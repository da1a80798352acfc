import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Styles text for standard output. No effect in a pipe, or if `NO_COLOR` is set. */
export function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Styles text for standard error. */
export function styleForStderr(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stderr });
}

/** The colour of the status of a datasource. */
export function styleStatus(status: string): string {
  if (status === 'synched') return style('green', status);
  return status === 'error' || status === 'usage_limit_reached'
    ? style('red', status)
    : style('yellow', status);
}
