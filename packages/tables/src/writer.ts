export { writeTables } from './write-tables.js';
