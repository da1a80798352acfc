import type { Datasource } from '@citewell/sdk';

type Named = Pick<Datasource, 'type' | 'name' | 'title' | 'config'>;

/** The address of a web page; null for other datasources. */
export function addressOf({ type, name, config }: Named): string | null {
  if (type !== 'web_page') return null;
  const address = config['source_url'];
  return typeof address === 'string' ? address : name;
}

/** What a datasource is called in lists: a web page that is named by its address has the title of the page. */
export function displayName(datasource: Named): string {
  const { name, title } = datasource;
  const address = addressOf(datasource);
  return address !== null && title !== null && (name === address || URL.canParse(name)) ? title : name;
}
