import { z } from 'zod';

export const pageContentSchema = z.enum(['text', 'recognized', 'described', 'empty', 'unread']);
export type PageContent = z.infer<typeof pageContentSchema>;

export const pageRangeSchema = z
  .object({
    from: z.number().int().describe('From 1.'),
    to: z.number().int(),
    content: pageContentSchema.describe(
      '`text`: the pages have text. `recognized`: text recognition (OCR) has read pictures of text. `described`: a model describes pictures ' +
        'without text. `empty`: they have none. ' +
        '`unread`: they show text that could not be read, or are damaged.',
    ),
    confidence: z
      .number()
      .int()
      .optional()
      .describe('Of recognized pages: how sure the recognition is, 0 to 100: the mean of the words.'),
    unreadable: z
      .number()
      .int()
      .optional()
      .describe(
        'Of recognized pages: words that are not part of the text, because their confidence is below 30. ' +
          '`GET /datasources/{id}/pages/{page}` has their places.',
      ),
  })
  .meta({ id: 'PageRange', description: 'Successive pages of a document with the same content.' });
export type PageRange = z.infer<typeof pageRangeSchema>;
