import { describeDeployment } from '../deployments/describe-deployment.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { accounts } from './accounts.spec-part.js';
import { access } from './access.spec-part.js';
import { administration } from './administration.spec-part.js';
import { anotherApi } from './another-api.spec-part.js';
import { agentQuery } from './agent-query.spec-part.js';
import { audit } from './audit.spec-part.js';
import { batches } from './batches.spec-part.js';
import { agents } from './agents.spec-part.js';
import { conversations } from './conversations.spec-part.js';
import { datasources } from './datasources.spec-part.js';
import { datastores } from './datastores.spec-part.js';
import { deprecated } from './deprecated.spec-part.js';
import { doctor } from './doctor.spec-part.js';
import { evaluations } from './evaluations.spec-part.js';
import { groups } from './groups.spec-part.js';
import { idempotency } from './idempotency.spec-part.js';
import { lists } from './lists.spec-part.js';
import { unknownFields } from './unknown-fields.spec-part.js';
import { publishableKeys } from './publishable-keys.spec-part.js';
import { ownConversations } from './own-conversations.spec-part.js';
import { readers } from './readers.spec-part.js';
import { restricted } from './restricted.spec-part.js';
import { personalTokens } from './personal-tokens.spec-part.js';
import { roleMatrix } from './role-matrix.spec-part.js';
import { people } from './people.spec-part.js';
import { operations } from './operations.spec-part.js';
import { describeSpecification } from './describe-specification.js';
import { sessions } from './sessions.spec-part.js';
import { usageShares } from './usage.spec-part.js';
import { upserts } from './upserts.spec-part.js';
import { uploads } from './uploads.spec-part.js';
import { webPages } from './web-pages.spec-part.js';

const PARTS = [
  operations,
  access,
  administration,
  sessions,
  people,
  roleMatrix,
  readers,
  restricted,
  groups,
  accounts,
  ownConversations,
  audit,
  personalTokens,
  usageShares,
  publishableKeys,
  agents,
  agentQuery,
  conversations,
  evaluations,
  lists,
  unknownFields,
  datastores,
  datasources,
  uploads,
  upserts,
  batches,
  webPages,
  idempotency,
  deprecated,
  doctor,
];

/** Answers and fetched pages use every engine, sessions reach every process, and doctor compares the engines. */
const SMOKE = [operations, people, accounts, webPages, anotherApi, doctor];
/** The tests of attempts to sign in are clients of many addresses. */
const ENVIRONMENT = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.1',
  // The keys of webhooks are sealed. The embedded deployment has a secret of its own.
  CITEWELL_SECRET: 'a-secret-of-the-operator',
};

/** Every endpoint, field by field, with valid and invalid input, used by two organizations. */
describeDeployment('the specification', (start) =>
  describeSpecification('all parts', start, PARTS, ENVIRONMENT),
);
describeSpecification('the specification, scaled: a part', startScaled, SMOKE, ENVIRONMENT);
