export * from './administration.schema.js';
export * from './agents.schema.js';
export * from './conversations.schema.js';
export * from './datasources.schema.js';
export * from './datastores.schema.js';
export * from './fields.js';
export * from './openai.schema.js';
export * from './sources.schema.js';
