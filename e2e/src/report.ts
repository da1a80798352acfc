/** Prints a figure or fact beside the test results. Unlike `console.log`, without a stack trace. */
export function report(text: string): void {
  process.stdout.write(`ℹ ${text}\n`);
}
