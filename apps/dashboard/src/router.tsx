import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { conditionsIn, type Place } from './content/viewer/citations.js';
import { NotFound } from './components/empty-state.js';
import { Shell } from './shell/shell.js';
import { BASE_PATH } from './address.js';

/** A value of the query string as a text: the router reads numbers as numbers. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
/** A value of the query string, if it is a whole number. */
const numberOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? Number(value) : undefined;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/ask', replace: true });
  },
});

const askRoute = createRoute({
  getParentRoute: () => root,
  path: '/ask',
  validateSearch: ({
    agent,
    conversation,
  }: Record<string, unknown>): { agent?: string | undefined; conversation?: string | undefined } => ({
    agent: textOf(agent),
    conversation: textOf(conversation),
  }),
  component: lazyRouteComponent(() => import('./answering/ask/ask.page.js'), 'AskPage'),
});

const welcomeRoute = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./answering/ask/welcome.js'), 'Welcome'),
});

const libraryRoute = createRoute({
  getParentRoute: () => root,
  path: '/library',
  component: lazyRouteComponent(() => import('./content/library/library.page.js'), 'LibraryPage'),
});

interface DatastoreSearch {
  /** The site or archive whose pages or files are shown. */
  group?: string | undefined;
  /** Is searched for. */
  query?: string | undefined;
  /** The panel that adds documents is open. */
  add?: true | undefined;
}

const datastoreRoute = createRoute({
  getParentRoute: () => root,
  path: '/library/$datastoreId',
  validateSearch: ({ group, query, add }: Record<string, unknown>): DatastoreSearch => ({
    group: textOf(group),
    query: textOf(query),
    add: add === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./content/library/datastore.page.js'), 'DatastorePage'),
});

const changesRoute = createRoute({
  getParentRoute: () => root,
  path: '/library/$datastoreId/changes',
  validateSearch: ({ days }: Record<string, unknown>): { days?: number | undefined } => ({
    days: numberOf(days),
  }),
  component: lazyRouteComponent(() => import('./content/library/changes.page.js'), 'ChangesPage'),
});

interface ConversationsSearch {
  /** Only conversations with this agent. */
  agent?: string | undefined;
  view?: 'all' | 'unanswered' | 'disliked' | 'feedback' | undefined;
  /** The conversation that is open, and its agent. */
  conversation?: string | undefined;
  of?: string | undefined;
}

const readerRoute = createRoute({
  getParentRoute: () => root,
  path: '/documents/$datasourceId',
  validateSearch: (search: Record<string, unknown>): Place => ({
    start: numberOf(search['start']),
    end: numberOf(search['end']),
    quoteStart: numberOf(search['quoteStart']),
    quoteEnd: numberOf(search['quoteEnd']),
    page: numberOf(search['page']),
    revision: numberOf(search['revision']),
    table: numberOf(search['table']),
    where: conditionsIn(search['where']),
  }),
  component: lazyRouteComponent(() => import('./content/viewer/reader.page.js'), 'ReaderPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('./answering/agent-pages/agents.page.js'), 'AgentsPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('./answering/agent-pages/agent.page.js'), 'AgentPage'),
});

const conversationsRoute = createRoute({
  getParentRoute: () => root,
  path: '/conversations',
  validateSearch: ({ agent, view, conversation, of }: Record<string, unknown>): ConversationsSearch => ({
    agent: textOf(agent),
    view: view === 'unanswered' || view === 'disliked' || view === 'feedback' ? view : undefined,
    conversation: textOf(conversation),
    of: textOf(of),
  }),
  component: lazyRouteComponent(
    () => import('./answering/conversations/conversations.page.js'),
    'ConversationsPage',
  ),
});

interface GapsSearch {
  state?: 'open' | 'marked' | 'answered' | undefined;
  /** Only questions of the last days count; 0: all. Default: a week. */
  days?: number | undefined;
  agent?: string | undefined;
}

const gapsRoute = createRoute({
  getParentRoute: () => root,
  path: '/missing',
  validateSearch: ({ state, days, agent }: Record<string, unknown>): GapsSearch => ({
    state: state === 'marked' || state === 'answered' ? state : undefined,
    days: numberOf(days),
    agent: textOf(agent),
  }),
  component: lazyRouteComponent(() => import('./answering/gaps/gaps.page.js'), 'GapsPage'),
});

const evaluationsRoute = createRoute({
  getParentRoute: () => root,
  path: '/evaluations',
  component: lazyRouteComponent(() => import('./evaluation/evaluations.page.js'), 'EvaluationsPage'),
});

const evaluationRoute = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/$evaluationId',
  component: lazyRouteComponent(() => import('./evaluation/evaluation.page.js'), 'EvaluationPage'),
});

const sharedRoute = createRoute({
  getParentRoute: () => root,
  path: '/shared/$shareId',
  component: lazyRouteComponent(() => import('./answering/conversations/shared.page.js'), 'SharedPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: string | undefined } => ({ tab: textOf(tab) }),
  component: lazyRouteComponent(() => import('./settings/settings.page.js'), 'SettingsPage'),
});

const profileRoute = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(() => import('./identity/profile/profile.page.js'), 'ProfilePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    askRoute,
    welcomeRoute,
    libraryRoute,
    datastoreRoute,
    changesRoute,
    readerRoute,
    agentsRoute,
    agentRoute,
    conversationsRoute,
    gapsRoute,
    evaluationsRoute,
    evaluationRoute,
    sharedRoute,
    settingsRoute,
    profileRoute,
  ]),
  basepath: BASE_PATH || '/',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
