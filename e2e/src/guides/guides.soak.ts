// The guides, and the installation of the npm packages from a clone.
process.env['TEST_EXTENT'] = 'whole';
await import('./guides.e2e.js');
