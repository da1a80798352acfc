/** The languages of the product. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];
