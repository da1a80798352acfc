import { z } from 'zod';

/**
 * A passage that an answer may stand on. `start` and `end` are UTF-16 offsets into the canonical text of the
 * datasource's revision `revision` (`GET /datasources/{id}/text`), and `text` is exactly that slice.
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

/** Tokens as the model's provider counted them. */
export const usageSchema = z
  .object({ inputTokens: z.number().int(), outputTokens: z.number().int() })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;
