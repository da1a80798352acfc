declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs of a Traditional character and a Simplified one, `|` between the pairs, a blank within. */
  const characters: string;
  export default characters;
}

declare module 'snowball-stemmers' {
  interface Stemmer {
    /** Returns the stem of a lower-case word. */
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: 'english' | 'russian'): Stemmer };
  export default snowball;
}
