import { CitewellError } from '@citewell/sdk';
import { useQuery } from '@tanstack/react-query';
import { client } from '../client.js';

interface QuotePlace {
  start: number | undefined;
  end: number | undefined;
  /** The revision that the offsets refer to; undefined for the serving one. */
  revision: number | undefined;
}

/**
 * The text of a cited passage. `hasChanged`: the cited revision is no longer stored, so the offsets do not fit the
 * text that is.
 */
export function useQuote(
  datasourceId: string,
  { start, end, revision }: QuotePlace,
): { quote: string | null; hasChanged: boolean } {
  const { data } = useQuery({
    queryKey: ['quote', datasourceId, start, end, revision],
    queryFn: async () => {
      try {
        const { text } = await client.datasources.text(datasourceId, { start, end, revision });
        return { quote: text, hasChanged: false };
      } catch (error) {
        if (error instanceof CitewellError && error.code === 'GONE') return { quote: null, hasChanged: true };
        throw error;
      }
    },
    enabled: start !== undefined && end !== undefined,
    staleTime: Infinity,
  });
  return data ?? { quote: null, hasChanged: false };
}
