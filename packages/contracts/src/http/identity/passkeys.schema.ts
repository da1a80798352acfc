import { z } from 'zod';
import { nameSchema } from '../fields.js';
import { MAX_PASSWORD_LENGTH } from './people.schema.js';

const encoded = z.string().max(20_000);

/** What the browser returns, in the JSON format of WebAuthn (level 3). Other fields of that format are allowed. */
export const passkeyAssertionSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded.optional(),
    }),
  })
  .describe('An `AuthenticationResponseJSON` of WebAuthn, for the challenge of `POST /passkeys/challenge`.');

export const passkeyAttestationSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(50)).max(20).optional(),
    }),
  })
  .describe('A `RegistrationResponseJSON` of WebAuthn, for the options of `POST /passkeys/registration`.');

export const passkeyOptionsSchema = z.record(z.string(), z.unknown()).meta({
  id: 'PasskeyOptions',
  description: 'Options for the browser, in the JSON format of WebAuthn.',
  examples: [{ challenge: 'AAECAw', rpId: 'answers.example.com', userVerification: 'required' }],
});
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

export const registerPasskeySchema = z
  .object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH) })
  .meta({ id: 'RegisterPasskey', examples: [{ currentPassword: 'a long enough phrase' }] });
export type RegisterPasskey = z.infer<typeof registerPasskeySchema>;

export const createPasskeySchema = z.object({ name: nameSchema, credential: passkeyAttestationSchema }).meta({
  id: 'CreatePasskey',
  examples: [
    {
      name: 'Laptop',
      credential: {
        id: 'AQIDBA',
        rawId: 'AQIDBA',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA' },
      },
    },
  ],
});
export type CreatePasskey = z.infer<typeof createPasskeySchema>;

export const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({
    id: 'Passkey',
    examples: [
      {
        id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b',
        name: 'Laptop',
        createdAt: '2026-03-02T08:15:00.000Z',
        lastUsedAt: null,
      },
    ],
  });
export type Passkey = z.infer<typeof passkeySchema>;
