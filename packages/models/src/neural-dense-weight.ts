/**
 * The weight of the search by meaning with a neural model whose best weight is not known: that of all-MiniLM-L6-v2, a small
 * model; see docs/retrieval.md.
 */
export const NEURAL_DENSE_WEIGHT = 0.6;
