import { WINDOW_WORDS } from '@citewell/documents/chunk-windows';
import { type EmbeddingModel, loadBuiltinEmbeddingModel } from '@citewell/models';
import { LEXICAL_VERSION } from '@citewell/retrieval';
import type { Space } from '@citewell/vector-store';

/** A vector space, and the model of its vectors: null for a space that is searched by words only. */
export interface ModelSpace {
  readonly space: Space;
  readonly model: EmbeddingModel | null;
  /** Documents serve from this space until they are embedded in the other one. */
  readonly isInterim: boolean;
}

/** The spaces of a configuration, by the stage of a run that writes to them. */
export interface Spaces {
  readonly indexing: ModelSpace;
  /**
   * The space of a model that may be slow, rate-limited or unavailable. A document serves from the other space first, with
   * the vectors of the built-in model, and from this one when the model has embedded it. Null without such a model.
   */
  readonly embedding: ModelSpace | null;
  /** Whether `embedding` is null only until the chosen model is open. Default: false. */
  readonly isPreparing?: boolean;
  /** Spaces of earlier models, which are searched until no document serves from them. Default: none. */
  readonly retired?: readonly ModelSpace[];
}

/** @param model the only embedding model */
export async function spacesOf(model: EmbeddingModel | null): Promise<Spaces> {
  if (model === null) return { indexing: modelSpace(null, false), embedding: null };
  const builtin = await loadBuiltinEmbeddingModel();
  if (model === builtin) return { indexing: modelSpace(model, false), embedding: null };
  return { indexing: modelSpace(builtin, true), embedding: modelSpace(model, false) };
}

export function modelSpace(model: EmbeddingModel | null, isInterim: boolean): ModelSpace {
  return { space: spaceOf(model), model, isInterim };
}

/**
 * The vector space of a model. Vectors of different analyzers, embedding models or windows cannot be compared, so each
 * combination has its own space.
 *
 * @returns a name such as `l3_lexical` or `l3_small_384_w60`: the analyzer version, the fingerprint of the model and the
 * words per window
 */
export function spaceOf(model: Pick<EmbeddingModel, 'fingerprint' | 'dimensions'> | null): Space {
  const lexical = `l${LEXICAL_VERSION}`;
  if (!model) return { name: `${lexical}_lexical`, dense: null };
  const { fingerprint, dimensions } = model;
  return { name: `${lexical}_${fingerprint}_w${WINDOW_WORDS}`.toLowerCase(), dense: { dimensions } };
}
