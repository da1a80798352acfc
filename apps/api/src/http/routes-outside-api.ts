/** Patterns of the routes without the prefix `/api`: for operators, for visitors of pages, and the interfaces of others. */
export const ROUTES_OUTSIDE_API = [
  'health/live',
  'health/ready',
  'metrics',
  'widget.js',
  'chat/:key',
  'v1/*path',
  'mcp',
  'scim/v2/*path',
];
