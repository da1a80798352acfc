import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { AcceptInvitation, type Invitation } from './accept-invitation.js';
import { openStart, SessionContext, sessionQuery, useLanguageOfProfile } from './session.js';
import { SignIn } from './sign-in.js';

/** The part of the address that a sign-in link has: `/#sign-in=<code>`. It is not sent to the server as an address. */
const SIGN_IN_CODE = /^#sign-in=([\w-]+)$/;

/** `/#invite=<token>&email=<e-mail>&organization=<name>&inviter=<name>`. All but the token may be missing. */
const INVITATION = /^#invite=([\w-]+)(?:&(.+))?$/;

/** `/#reset=<token>`, of a mail. */
const RESET = /^#reset=([\w-]+)$/;

/** `/#email=<token>`, of a mail. */
const EMAIL_CHANGE = /^#email=([\w-]+)$/;

const ConfirmEmail = lazy(async () => ({ default: (await import('./confirm-email.js')).ConfirmEmail }));
const ResetPassword = lazy(async () => ({ default: (await import('./reset-password.js')).ResetPassword }));
/** `/#sign-in-failed=<reason>`, after a sign-in at an identity provider. */
const PROVIDER_FAILURE = /^#sign-in-failed=([\w-]+)$/;

/** Shows its children to a signed-in user, and the sign-in page to others. Redeems the code of a sign-in link. */
export function SessionGate({ children }: { children: ReactNode }): ReactNode {
  const queryClient = useQueryClient();
  const [code] = useState(() => takeFromAddress(SIGN_IN_CODE)?.[1] ?? null);
  const [invitation, setInvitation] = useState(takeInvitation);
  const [resetToken, setResetToken] = useState(() => takeFromAddress(RESET)?.[1] ?? null);
  const [emailToken, setEmailToken] = useState(() => takeFromAddress(EMAIL_CHANGE)?.[1] ?? null);
  const [providerFailure] = useState(() => takeFromAddress(PROVIDER_FAILURE)?.[1] ?? null);
  const redeemed = useQuery({
    queryKey: ['sign-in-code'],
    queryFn: () => client.session.signIn({ code: code ?? '' }),
    enabled: code !== null,
    retry: false,
    staleTime: Infinity,
  });
  const isRedeeming = code !== null && redeemed.isPending;
  const session = useQuery({ ...sessionQuery, enabled: !isRedeeming });
  useEffect(() => {
    if (redeemed.data) queryClient.setQueryData(sessionQuery.queryKey, redeemed.data);
  }, [queryClient, redeemed.data]);

  useLanguageOfProfile(session.data?.person?.language ?? null);

  useReloadInAnotherOrganization(session.data?.organization.id);

  const [hadSession, setHadSession] = useState(false);
  if (session.data && !hadSession) setHadSession(true);

  if (resetToken !== null)
    return (
      <Suspense fallback={null}>
        <ResetPassword token={resetToken} onReset={() => setResetToken(null)} />
      </Suspense>
    );
  if (invitation) return <AcceptInvitation invitation={invitation} onAccepted={() => setInvitation(null)} />;
  if (session.isError) return <ErrorNotice error={session.error} onRetry={() => void session.refetch()} />;
  if (isRedeeming || session.isPending) return null;
  if (session.data === null)
    return (
      <SignIn hadUsedLink={redeemed.isError} hadSession={hadSession} providerFailure={providerFailure} />
    );
  if (emailToken !== null)
    return (
      <Suspense fallback={null}>
        <ConfirmEmail token={emailToken} onDone={() => setEmailToken(null)} />
      </Suspense>
    );
  return <SessionContext value={session.data}>{children}</SessionContext>;
}

/** All tabs of a browser share its session. Nothing of one organization stays on a page of another one. */
function useReloadInAnotherOrganization(organizationId: string | undefined): void {
  const before = useRef(organizationId);
  useEffect(() => {
    if (before.current !== undefined && organizationId !== undefined && before.current !== organizationId)
      openStart();
    before.current = organizationId;
  }, [organizationId]);
}

/** Removes a secret from the address, so that the history of the browser does not keep it. */
function takeFromAddress(pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(location.hash);
  if (found) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return found;
}

function takeInvitation(): Invitation | null {
  const [, token, names] = takeFromAddress(INVITATION) ?? [];
  if (token === undefined) return null;
  const parameters = new URLSearchParams(names);
  const [email, organization, inviter] = ['email', 'organization', 'inviter'].map((name) =>
    parameters.get(name),
  );
  return { token, email: email ?? null, organization: organization ?? null, inviter: inviter ?? null };
}
