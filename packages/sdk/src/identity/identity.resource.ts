import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';
import type {
  ApiKey,
  ApiKeyWithSecret,
  ChangePerson,
  ChangeProfile,
  CreateApiKey,
  CreatePersonLink,
  InvitePerson,
  OwnSession,
  Person,
  PersonWithToken,
  Profile,
  Session,
  SignIn,
} from '@citewell/contracts';

/**
 * The API keys of the organization. Every method requires a
 * key with the scope `admin` and throws `CitewellError`.
 */
export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  /** Creates an API key. Only this response contains the key itself. */
  create(key: CreateApiKey, options?: RequestOptions): Promise<ApiKeyWithSecret> {
    return this.transport.json({ method: 'POST', path: '/api-keys', json: key, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<ApiKey> {
    return this.transport.list({ path: '/api-keys', options }, page);
  }

  delete(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.json({ method: 'DELETE', path: `/api-keys/${segment(id)}`, options });
  }
}

/**
 * The session of a browser, for pages that the service itself delivers. After `signIn`, a client without an API key is
 * authenticated by a cookie that scripts cannot read. Every method throws `CitewellError`.
 */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  signIn(request: SignIn, options?: RequestOptions): Promise<Session> {
    return this.transport.json({ method: 'POST', path: '/session', json: request, options });
  }

  /** Also works with an API key. */
  get(options?: RequestOptions): Promise<Session> {
    return this.transport.json({ method: 'GET', path: '/session', options });
  }

  signOut(options?: RequestOptions): Promise<void> {
    return this.transport.json({ method: 'DELETE', path: '/session', options });
  }

  /**
   * Changes the profile of the person who is signed in. If the server sends e-mail, a new e-mail waits for its link, and the
   * answer has `emailToConfirm`.
   */
  changeProfile(changes: ChangeProfile, options?: RequestOptions): Promise<Profile> {
    return this.transport.json({ method: 'PATCH', path: '/profile', json: changes, options });
  }

  /** The sessions of the person who is signed in, newest first. */
  list(options?: RequestOptions): Promise<OwnSession[]> {
    return this.transport.json({ method: 'GET', path: '/sessions', options });
  }

  /** Ends a session of the person who is signed in. */
  delete(id: string, options?: RequestOptions): Promise<OwnSession> {
    return this.transport.json({ method: 'DELETE', path: `/sessions/${segment(id)}`, options });
  }
}

/** The people of the organization. Every method requires the scope `admin` and throws `CitewellError`. */
export class People {
  constructor(private readonly transport: Transport) {}

  /** Invites a person. Only this response contains the token of the link. */
  invite(invitation: InvitePerson, options?: RequestOptions): Promise<PersonWithToken> {
    return this.transport.json({ method: 'POST', path: '/people', json: invitation, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Person> {
    return this.transport.list({ path: '/people', options }, page);
  }

  /** Creates a link for a person whose invitation has expired, or who has forgotten the password. */
  createLink(id: string, link: CreatePersonLink = {}, options?: RequestOptions): Promise<PersonWithToken> {
    return this.transport.json({ method: 'POST', path: `/people/${segment(id)}/link`, json: link, options });
  }

  update(id: string, changes: ChangePerson, options?: RequestOptions): Promise<Person> {
    return this.transport.json({ method: 'PATCH', path: `/people/${segment(id)}`, json: changes, options });
  }

  /** Removes a person, or an invitation. */
  delete(id: string, options?: RequestOptions): Promise<Person> {
    return this.transport.json({ method: 'DELETE', path: `/people/${segment(id)}`, options });
  }
}
