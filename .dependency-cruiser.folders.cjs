const { options } = require('./.dependency-cruiser.cjs');

/**
 * Circles between folders, types included. Tests are left out: they may use any folder.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      comment:
        'Folders that need each other are one folder with two names: a reader cannot read one of them first.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: '(^|/)dist/|\\.(spec|soak|conformance|fixtures)\\.ts$|/test-files/|^packages/testing/' },
  },
};
