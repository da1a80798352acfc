import { describe } from '@jest/globals';
import { sourceConformance } from '../source.conformance.js';
import type { Protocol } from '@citewell/testing/source-servers';
import { makeStorageWorld } from './rclone-server.fixtures.js';

const PROTOCOLS: readonly Protocol[] = ['webdav', 'sftp', 'ftp', 's3'];

describe.each(PROTOCOLS)('storage by %s', (protocol) => {
  sourceConformance(protocol, () => makeStorageWorld(protocol), { many: 1_000 });
});
