/** Linux reports CPU time in hundredths of a second on every architecture that Node supports, see time(7). */
const TICK_MS = 10;

/**
 * CPU time of a process or a thread in milliseconds, without that of its children: `utime` and `stime` of
 * `/proc/<pid>/stat`, see proc_pid_stat(5).
 *
 * @param stat the text of that file
 */
export function cpuTimeMs(stat: string): number {
  // The name of the program, in parentheses, may contain any character. The two fields are 11 and 12 fields after its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
