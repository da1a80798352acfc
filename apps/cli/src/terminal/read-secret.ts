import { text } from 'node:stream/consumers';
import { printToStderr } from './output.js';

/** Reads a secret from the standard input: arguments are shown in lists of processes. @param what such as `key` */
export async function readSecret(what: string): Promise<string> {
  if (process.stdin.isTTY) printToStderr(`Paste the ${what}, press Enter, and then Ctrl+D.`);
  return (await text(process.stdin)).trim();
}
