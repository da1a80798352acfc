import type { Scope } from '@citewell/sdk';
import type { ReactNode } from 'react';
import { useSession } from './use-session.js';

/** Shows what only keys with a scope can do. */
export function Permitted({ scope = 'write', children }: { scope?: Scope; children: ReactNode }): ReactNode {
  return useSession().scopes.includes(scope) ? children : null;
}
