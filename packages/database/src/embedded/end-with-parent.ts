/**
 * Wraps a command so that its process gets SIGINT when this process ends, also by SIGKILL. The command keeps its process
 * id. Its standard input has to be a pipe: a shell beside it reads the pipe, and the pipe ends with this process. A line
 * that is written to the pipe ends that shell.
 *
 * The shell is no child of the command: Postgres restarts when an unknown child fails.
 */
export function endWithParent(
  command: string,
  args: readonly string[],
): { command: string; arguments: string[] } {
  const script = [
    'exec 3<&0 </dev/null',
    '( ( read -r line <&3 || kill -INT $$ ) >/dev/null 2>&1 & )',
    'exec "$@" 3<&-',
  ].join('\n');
  return { command: '/bin/sh', arguments: ['-c', script, 'sh', command, ...args] };
}
