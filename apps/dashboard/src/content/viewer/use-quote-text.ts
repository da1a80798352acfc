import { CitewellError } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../client.js';
import type { Range } from './citations.js';

/**
 * The text of a quote. `hasChanged`: the cited revision is no longer stored, so the offsets do not fit the text that is.
 *
 * @param revision the one that the offsets refer to; undefined for the serving one
 */
export function useQuoteText(
  datasourceId: string,
  quote: Range | null,
  revision: number | undefined,
): { quoteText: string | null; hasChanged: boolean } {
  const { data } = useQuery({
    queryKey: ['quote', datasourceId, quote, revision],
    queryFn: async () => {
      try {
        const { text } = await client.datasources.text(datasourceId, { ...quote, revision });
        return { quoteText: text, hasChanged: false };
      } catch (error) {
        if (error instanceof CitewellError && error.code === 'GONE')
          return { quoteText: null, hasChanged: true };
        throw error;
      }
    },
    enabled: quote !== null,
    staleTime: Infinity,
  });
  return data ?? { quoteText: null, hasChanged: false };
}
