export * from './api-errors.js';
export * from './datasource-error.js';
export * from './file-refusal.js';
export * from './format-bytes.js';
export * from './ingestion-errors.js';
export * from './url-reasons.js';
