/** Patterns of the routes without the prefix `/api`: for operators, and the interfaces of others. */
export const ROUTES_OUTSIDE_API = ['health/live', 'health/ready', 'metrics', 'v1/*path', 'mcp'];
