export { type Dovecot, startDovecot, Wire } from './dovecot.js';
export { freePort } from './free-ports.js';
export { GitHost } from './git-host.js';
export { type Login, type Protocol, RCLONE, RcloneServer, storageSettings } from './rclone-server.js';
export { ConfluenceServer, type FakeContent } from './confluence-server.js';
export { type FakeBlock, type FakePage, NotionServer, richText } from './notion-server.js';
