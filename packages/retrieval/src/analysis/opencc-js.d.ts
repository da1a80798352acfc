declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs of a Traditional character and a Simplified one, `|` between the pairs, a blank within. */
  const characters: string;
  export default characters;
}
