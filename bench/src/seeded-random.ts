export { seededRandom } from '@citewell/retrieval';
