declare module 'csv-spectrum' {
  interface Sample {
    readonly name: string;
    readonly csv: Buffer;
    /** What the CSV says, as records. */
    readonly json: Buffer;
  }
  export default function spectrum(callback: (error: Error | null, samples: readonly Sample[]) => void): void;
}
