import { type BatchItemResult, type Citewell, CitewellError, type DatasourceItem } from '@citewell/sdk';
import { type Accepted, sendOnce } from './source.js';

const BATCH_SIZE = 1_000;

/**
 * Sends items in batches.
 *
 * @returns for each item, the datasource or the reason why it was refused
 * @throws CitewellError if a batch is refused as a whole
 */
export async function sendItems(
  client: Citewell,
  datastoreId: string,
  items: readonly DatasourceItem[],
): Promise<(Accepted | CitewellError)[]> {
  const results: BatchItemResult[] = [];
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch = { datastoreId, items: items.slice(start, start + BATCH_SIZE) };
    results.push(...(await client.datasources.createBatch(batch, sendOnce())).items);
  }
  return results.map((result, index) => {
    if ('error' in result) return new CitewellError(result.error, result.message);
    const item = items[index];
    return { ...result, name: item?.name ?? urlOf(item) };
  });
}

/** The name that the API gives to a page without one. */
function urlOf(item: DatasourceItem | undefined): string {
  return item?.type === 'web_page' ? item.config.source_url : '';
}
