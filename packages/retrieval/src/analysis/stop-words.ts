/** Lucene's English stop words (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`), 33 words. */
const LUCENE_ENGLISH =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with';

export const STOP_WORDS: ReadonlySet<string> = new Set(LUCENE_ENGLISH.split(' '));
