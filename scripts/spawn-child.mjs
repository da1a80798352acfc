import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Starts a program to which signals are passed on. After a signal, this process ends when the program has ended. */
export function spawnChild(command, args, options) {
  const child = spawn(command, args, options);
  let received = null;
  const pass = (signal) => {
    received = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  child.once('close', () => {
    for (const signal of SIGNALS) process.off(signal, pass);
    if (received !== null) process.exit(128 + constants.signals[received]);
  });
  return child;
}
