/** The output stream of a command. */
export interface Output {
  write(text: string): unknown;
}

export const standardOutput: Output = { write: (text) => process.stdout.write(text) };
