/** Where a command writes what people read. */
export interface Output {
  write(text: string): unknown;
}

export const standardOutput: Output = { write: (text) => process.stdout.write(text) };
