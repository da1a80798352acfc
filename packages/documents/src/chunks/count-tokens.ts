import { countTokens as countBpe } from 'gpt-tokenizer/encoding/o200k_base';
import { safeCut } from './safe-cut.js';

/** How many tokens a text costs the model that is to read it. */
export type CountTokens = (text: string) => number;

/** Tokenizers are worse than linear in a run without spaces: 20,000 letters take seconds. */
const MAX_RUN_CHARACTERS = 2000;

/**
 * Tokens of a text by OpenAI's `o200k_base`, counted in pieces of at most 2,000 UTF-16 units, so that any text takes
 * linear time; a piece's edge costs at most one token too many. Special tokens are ordinary text: documents may
 * contain them.
 */
export const countTokens: CountTokens = (text) => {
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= MAX_RUN_CHARACTERS
        ? text.length
        : safeCut(text, start, start + MAX_RUN_CHARACTERS);
    tokens += countBpe(text.slice(start, end), { disallowedSpecial: new Set() });
    start = end;
  }
  return tokens;
};
