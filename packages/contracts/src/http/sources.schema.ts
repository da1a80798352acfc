import { z } from 'zod';

/**
 * A passage that an answer may cite. `start` and `end` are offsets, in UTF-16
 * code units, into the canonical text of revision `revision` of the datasource
 * (`GET /datasources/{id}/text`). `text` is exactly this part of the text.
 */
export const sourceSchema = z
  .object({
    chunk_id: z.string(),
    datasource_id: z.string(),
    datasource_name: z.string(),
    datasource_type: z.string(),
    source: z.string(),
    score: z.number(),
    text: z.string(),
    custom_id: z.string().optional(),
    source_url: z.string().optional(),
    mime_type: z.string().optional(),
    page_number: z.number().int().optional(),
    heading_path: z.array(z.string()).optional(),
    start: z.number().int(),
    end: z.number().int(),
    revision: z.number().int(),
    cited: z.boolean(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof sourceSchema>;

/** Tokens, as counted by the model provider. */
export const usageSchema = z
  .object({ inputTokens: z.number().int(), outputTokens: z.number().int() })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;
