export * from './describe-file.js';
export * from './english-files.js';
