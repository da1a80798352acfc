import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { cpuTimeMs } from './process-usage.js';

it('reads the CPU time of a process, whatever its name contains', () => {
  const rest = 'S 1 2 3 4 5 6 7 8 9 10 250 50 400 400 20 0 1 0 99';
  for (const name of ['node', 'a program', ') 1 (', '']) expect(cpuTimeMs(`7 (${name}) ${rest}`)).toBe(3_000);
});

const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux('counts what this process has used', () => {
  const before = process.cpuUsage();
  const ms = cpuTimeMs(readFileSync('/proc/self/stat', 'latin1'));
  expect(Math.abs(ms - (before.user + before.system) / 1_000)).toBeLessThan(500);
});
