/** `scripts/bundle-widget.mjs` imports a style sheet as its text. */
declare module '*.css' {
  const text: string;
  // oxlint-disable-next-line import/no-default-export -- what esbuild generates
  export default text;
}
