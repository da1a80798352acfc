/** The only packages that may import a library, as path patterns. All other code uses their exports. */
const OWNERS = {
  typeorm: 'packages/database',
  pg: 'packages/(database|queue|testing)',
  bullmq: 'packages/queue',
  ioredis: 'packages/queue',
  '@qdrant/js-client-rest': 'packages/vector-store',
  'node:sqlite': 'packages/(vector-store|tables)',
  '@aws-sdk/.*': 'packages/blob-store',
  '@langchain/.*': 'packages/(models|sdk)',
  langchain: 'packages/models',
  '@modelcontextprotocol/.*': 'apps/api',
  nodemailer: 'apps/api',
  '@simplewebauthn/.*': 'apps/(api|dashboard)',
  undici: 'packages/web',
  'playwright-core': 'apps/worker-crawler',
  htmlparser2: 'packages/documents',
  'pdfjs-dist': '(packages/documents|apps/dashboard)',
  'prom-client': 'packages/observability',
  pino: 'packages/observability',
  'gpt-tokenizer': 'packages/(documents|retrieval)',
};

const TESTS = '\\.(spec|soak|conformance|fixtures)\\.ts$|/test-files/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Circular imports couple files so that none can be understood or loaded alone.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contracts-is-the-leaf',
      comment:
        'API, workers and SDK share the contracts, so the contracts must not depend on other packages.',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/contracts/' },
    },
    {
      name: 'packages-know-no-app',
      comment: 'Apps depend on packages. Packages must not depend on apps.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-know-no-app',
      comment:
        'Apps communicate through the database and the queue. Only standalone combines them in one process.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pure-packages',
      comment:
        'Documents and retrieval are pure functions of their input: no database, no network, no framework.',
      severity: 'error',
      from: { path: '^packages/(documents|retrieval)/', pathNot: TESTS },
      to: { path: '^packages/', pathNot: '^packages/(documents|retrieval|contracts)/' },
    },
    {
      name: 'runs-know-no-datasource-requests',
      comment:
        'What clients ask for (datasources) starts and ends runs. What holds between a datasource and its runs is in runs.',
      severity: 'error',
      from: { path: '^packages/database/src/ingestion/runs/', pathNot: TESTS },
      to: { path: '^packages/database/src/content/datasources/' },
    },
    {
      name: 'sdk-is-flat',
      comment:
        'The published client contains the types and error codes of the contracts. Its users must not depend on zod.',
      severity: 'error',
      from: { path: '^packages/sdk/', pathNot: TESTS },
      to: { path: '^packages/(?!sdk|contracts/src/(index|errors/api-errors))|zod' },
    },
    {
      name: 'tests-stay-tests',
      comment: 'Production code must not import test code.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${TESTS}|^packages/testing/` },
      to: { path: '^packages/testing/' },
    },
    ...Object.entries(OWNERS).map(([name, owner]) => ({
      name: `owner-of-${name.replace(/\W+/g, '-')}`,
      comment: `Only ${owner} may import ${name}, so that it can be replaced in one place.`,
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `^${owner}/` },
      to: { path: name.startsWith('node:') ? `^${name.slice(5)}$` : `node_modules/${name}/` },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
};
