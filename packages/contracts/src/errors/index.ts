export * from './api-errors.js';
export * from './ingestion-errors.js';
export * from './file-refusal.js';
