declare module 'snowball-stemmers' {
  interface Stemmer {
    /** The stem of one lower-case word. */
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: 'english' | 'russian'): Stemmer };
  export default snowball;
}
