// One project for each kind of test. Jest runs the compiled files in `dist`; `npm test` compiles them first.

const project = (displayName, testMatch, options = {}) => ({
  displayName,
  testMatch: [`<rootDir>/${testMatch}`],
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  transform: {},
  // `npm run pack` writes packages with the names of their sources.
  modulePathIgnorePatterns: ['<rootDir>/(apps|packages)/[^/]+/release/'],
  ...options,
});

const ENGINES = {
  globalSetup: '<rootDir>/scripts/jest/setup.mjs',
  globalTeardown: '<rootDir>/scripts/jest/teardown.mjs',
};

/** @type {import('jest').Config} */
export default {
  projects: [
    project('unit', '{apps,packages,bench}/*/dist/**/*.spec.js', {
      testPathIgnorePatterns: ['\\.int\\.spec\\.js$'],
    }),
    project('integration', '{{apps,packages}/*,bench}/dist/**/*.int.spec.js', ENGINES),
    project('e2e', 'e2e/dist/**/*.e2e.js', ENGINES),
    project('soak', '{e2e,{apps,packages}/*}/dist/**/*.soak.js', ENGINES),
  ],
  // `run-jest.mjs` says how many files run at a time. A process that has grown to this size is replaced before its next file.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/scripts/jest/progress-reporter.mjs'],
  testSequencer: './scripts/jest/sequencer.mjs',
  testTimeout: 300_000,
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'html'],
};
