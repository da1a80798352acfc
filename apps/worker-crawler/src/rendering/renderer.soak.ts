// Every case of the tables of `renderer.int.spec.ts`.
process.env['TEST_EXTENT'] = 'whole';
await import('./renderer.int.spec.js');
