declare module 'csv-spectrum' {
  interface Sample {
    readonly name: string;
    readonly csv: Buffer;
    /** The expected records, as JSON. */
    readonly json: Buffer;
  }
  export default function spectrum(callback: (error: Error | null, samples: readonly Sample[]) => void): void;
}
