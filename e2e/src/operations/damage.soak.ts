// Every row of the tables of `damage.e2e.ts`.
process.env['TEST_EXTENT'] = 'whole';
await import('./damage.e2e.js');
