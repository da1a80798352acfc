// Suites with a browser, with what `npm test` leaves out: images in `e2e/screenshots`, and pages that exceed limits.
process.env['TEST_EXTENT'] = 'whole';
await import('../dashboard/dashboard.e2e.js');
await import('../dashboard/dashboard-sample.e2e.js');
await import('./rendering.e2e.js');
await import('../interfaces/widget.e2e.js');
