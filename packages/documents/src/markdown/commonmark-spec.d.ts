declare module 'commonmark-spec' {
  const spec: {
    /** The examples of the specification, in order. */
    readonly tests: readonly { readonly markdown: string; readonly html: string; readonly number: number }[];
  };
  export default spec;
}
