import type { SignInFailureReason } from '@citewell/contracts/schemas';

/** A sign-in at a provider that does not begin a session. The sign-in page has a sentence for each reason. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';

  constructor(
    readonly reason: SignInFailureReason,
    options: { cause?: unknown } = {},
  ) {
    super(`The sign-in at the identity provider failed: ${reason}`, options);
  }
}
