export { ApiModule } from './api.module.js';
export { assertPortIsFree, createApi, listenOn } from './create-api.js';
export { ensureFirstOrganization } from './tenancy/organizations/first-organization.js';
export { createSignInLink, type SignInLink } from './identity/sign-in/sign-in-codes.js';
