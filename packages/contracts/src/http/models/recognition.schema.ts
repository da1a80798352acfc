import { z } from 'zod';

export const recognitionLanguageSchema = z
  .object({
    name: z.string().describe('Of the language data of Tesseract, such as `deu`.'),
    tag: z.string().nullable().describe('BCP 47 tag, such as `de`. Null if unknown.'),
    state: z
      .enum(['available', 'installing', 'failed', 'installed'])
      .describe('`failed`: the last installation has failed.'),
    isIncluded: z.boolean().describe('Part of the product, or named by OCR_LANGUAGES. It cannot be removed.'),
    downloadBytes: z
      .number()
      .int()
      .nullable()
      .describe('Of an installation. Null if it cannot be installed.'),
    message: z.string().nullable().describe('Why the installation has failed, in a sentence.'),
  })
  .meta({ id: 'RecognitionLanguage' });
export type RecognitionLanguage = z.infer<typeof recognitionLanguageSchema>;

export const recognitionSettingsSchema = z
  .object({
    languages: z.array(recognitionLanguageSchema),
  })
  .meta({ id: 'RecognitionSettings', description: 'The languages of text recognition (OCR).' });
export type RecognitionSettings = z.infer<typeof recognitionSettingsSchema>;
