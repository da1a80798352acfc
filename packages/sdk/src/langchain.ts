import type { DatastoreQueryItem, Filters } from '@citewell/contracts';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { Citewell } from './citewell.js';

/** Everything about a passage except its text. */
export type PassageMetadata = Omit<DatastoreQueryItem, 'text'>;

export interface CitewellRetrieverInput extends BaseRetrieverInput {
  client: Citewell;
  datastoreId: string;
  /** Number of passages, 1 to 100, default 5. */
  topK?: number;
  /** Passages with a lower score are left out, 0..1. Default: 0. */
  minScore?: number;
  filters?: Filters;
}

/**
 * A datastore as a retriever of LangChain: `invoke` returns the best passages, best first. Throws
 * `CitewellError`.
 */
export class CitewellRetriever extends BaseRetriever<PassageMetadata> {
  override lc_namespace = ['citewell', 'retrievers'];

  constructor(private readonly input: CitewellRetrieverInput) {
    super(input);
  }

  static override lc_name(): string {
    return 'CitewellRetriever';
  }

  override async _getRelevantDocuments(query: string): Promise<Document<PassageMetadata>[]> {
    const { client, datastoreId, topK, minScore, filters } = this.input;
    const passages = await client.datastores.query(datastoreId, { query, topK, minScore, filters });
    return passages.map(
      ({ text, ...metadata }) => new Document({ pageContent: text, metadata, id: metadata.chunk_id }),
    );
  }
}
