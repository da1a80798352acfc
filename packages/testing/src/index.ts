export * from './engines/index.js';
export * from './qdrant/index.js';
export * from './s3/index.js';
export * from './model-server/index.js';
