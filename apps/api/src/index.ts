export { ApiModule } from './api.module.js';
export { assertPortIsFree, createApi, listenOn } from './create-api.js';
export { ensureFirstOrganization } from './organizations/first-organization.js';
export { createSignInLink } from './sessions/sign-in-link.js';
