export { ApiModule } from './api.module.js';
export { createApi, listenOn } from './create-api.js';
export { ensureFirstOrganization } from './organizations/first-organization.js';
