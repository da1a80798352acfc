import { z } from 'zod';
import { lineSchema } from '../fields.js';
import { STORAGE_PROVIDER_NAMES, STORAGE_PROVIDERS } from './storage-providers.js';

const MAX_OPTION_LENGTH = 2_000;

/** Fields of a source of the kind `storage`. See {@link requireKnownOptions}. */
export const storageSourceFields = {
  provider: z.enum(STORAGE_PROVIDER_NAMES).describe('The storage, by the name that rclone gives it.'),
  options: z
    .record(z.string(), lineSchema.min(1).max(MAX_OPTION_LENGTH))
    .optional()
    .describe('Where the storage is and who signs in, by the names of rclone. Without secrets.'),
  path: lineSchema
    .max(4_096)
    .refine((path) => !path.includes(']'), 'must not contain ]')
    .optional()
    .describe('The folder whose documents are listed; for buckets, the bucket and a folder. Default: all.'),
};

/** Refuses options that are not described for the provider, and names what is missing. */
export function requireKnownOptions(
  {
    provider,
    options = {},
  }: { provider: keyof typeof STORAGE_PROVIDERS; options?: Record<string, string> | undefined },
  context: z.RefinementCtx,
): void {
  const { options: known, required } = STORAGE_PROVIDERS[provider];
  const refuse = (name: string, message: string): void =>
    context.addIssue({ code: 'custom', path: ['options', name], message });
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      refuse(name, `is not an option of ${provider}. Options are: ${Object.keys(known).join(', ')}`);
  for (const [name = '', ...others] of required)
    if (others.length === 0 && Object.hasOwn(known, name) && !Object.hasOwn(options, name))
      refuse(name, `is needed for ${provider}`);
}
