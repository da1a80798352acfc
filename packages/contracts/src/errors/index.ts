export * from './api-errors.js';
export * from './ingestion-errors.js';
