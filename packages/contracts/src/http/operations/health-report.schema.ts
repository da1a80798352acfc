import { z } from 'zod';

export const healthReportSchema = z
  .object({
    dependencies: z
      .record(z.string(), z.string())
      .describe(
        '`ok`, or what is wrong, for the database, the queue, the stores and the storage. A chat model is listed if its last request failed.',
      ),
    problems: z
      .array(
        z.object({
          problem: z.string().describe('What the affected items are, in the plural.'),
          count: z.number().int(),
          ids: z.array(z.string()).describe('The first 20.'),
        }),
      )
      .describe('Of the own organization. The operator can repair them with `citewell doctor --repair`.'),
  })
  .meta({ id: 'HealthReport' });
export type HealthReport = z.infer<typeof healthReportSchema>;
