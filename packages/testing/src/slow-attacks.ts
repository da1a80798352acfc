/** What begins a hostile text, what it repeats, and its end. */
export type Attack = readonly [start: string, repeated: string, end: string];

/**
 * The attacks for which a call takes longer than a limit.
 *
 * @param options.length of the text, in UTF-16 code units. A short text comes first, so that a failure shows soon
 * @param options.limitMs CPU time
 */
export async function slowAttacks(
  attacks: readonly Attack[],
  { length, limitMs }: { length: number; limitMs: number },
  call: (text: string) => unknown,
): Promise<Attack[]> {
  const slow: Attack[] = [];
  for (const attack of attacks) {
    const [start, repeated, end] = attack;
    for (const size of [length / 20, length]) {
      const text = start + repeated.repeat(size / repeated.length) + end;
      if ((await cpuTime(() => call(text), limitMs)) <= limitMs) continue;
      slow.push(attack);
      break;
    }
  }
  return slow;
}

/** Calls until the code is compiled, and the machine has had a quick moment. Quadratic time stays far above a limit. */
const MAX_CALLS = 10;

/** The CPU time of a call in ms: the least of ten, if the first ones take long. */
async function cpuTime(call: () => unknown, limitMs: number): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < MAX_CALLS && least > limitMs; attempt += 1) {
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
