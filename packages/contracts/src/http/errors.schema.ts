import { z } from 'zod';

export const errorEnvelopeSchema = z
  .object({
    error: z.string(),
    message: z.string(),
    details: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          reason: z.string().optional(),
          values: z.record(z.string(), z.string()).optional(),
        }),
      )
      .optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
