import { describeDeployment } from './deployments/describe-deployment.js';
import { startScaled } from './deployments/scaled.deployment.js';
import { accounts } from './specification/accounts.spec-part.js';
import { access } from './specification/access.spec-part.js';
import { administration } from './specification/administration.spec-part.js';
import { anotherApi } from './specification/another-api.spec-part.js';
import { agentQuery } from './specification/agent-query.spec-part.js';
import { audit } from './specification/audit.spec-part.js';
import { batches } from './specification/batches.spec-part.js';
import { agents } from './specification/agents.spec-part.js';
import { conversations } from './specification/conversations.spec-part.js';
import { datasources } from './specification/datasources.spec-part.js';
import { datastores } from './specification/datastores.spec-part.js';
import { deprecated } from './specification/deprecated.spec-part.js';
import { doctor } from './specification/doctor.spec-part.js';
import { evaluations } from './specification/evaluations.spec-part.js';
import { groups } from './specification/groups.spec-part.js';
import { idempotency } from './specification/idempotency.spec-part.js';
import { lists } from './specification/lists.spec-part.js';
import { unknownFields } from './specification/unknown-fields.spec-part.js';
import { publishableKeys } from './specification/publishable-keys.spec-part.js';
import { ownConversations } from './specification/own-conversations.spec-part.js';
import { readers } from './specification/readers.spec-part.js';
import { personalTokens } from './specification/personal-tokens.spec-part.js';
import { roleMatrix } from './specification/role-matrix.spec-part.js';
import { people } from './specification/people.spec-part.js';
import { operations } from './specification/operations.spec-part.js';
import { describeSpecification } from './specification/describe-specification.js';
import { sessions } from './specification/sessions.spec-part.js';
import { usageShares } from './specification/usage.spec-part.js';
import { upserts } from './specification/upserts.spec-part.js';
import { uploads } from './specification/uploads.spec-part.js';
import { webPages } from './specification/web-pages.spec-part.js';

const PARTS = [
  operations,
  access,
  administration,
  sessions,
  people,
  roleMatrix,
  readers,
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
const ENVIRONMENT = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', TRUSTED_PROXIES: '127.0.0.1' };

/** Every endpoint, field by field, with valid and invalid input, used by two organizations. */
describeDeployment('the specification', (start) =>
  describeSpecification('all parts', start, PARTS, ENVIRONMENT),
);
describeSpecification('the specification, scaled: a part', startScaled, SMOKE, ENVIRONMENT);
