export interface Running {
  url: string;
  /** The first key, when it was made at this start. */
  key: string | null;
  dataDirectory: string;
}

/** What a person reads when everything runs: where it is, the key, and two commands to paste. */
export function welcome({ url, key, dataDirectory, seconds }: Running & { seconds: number }): string {
  const shown = key ?? '$CITEWELL_API_KEY';
  return `
Citewell is ready at ${url} (${seconds.toFixed(1)} s). Data: ${dataDirectory}
${
  key === null
    ? 'The API key is the one shown at the first start, or given as CITEWELL_API_KEY.'
    : `\n  API key, shown this once:  ${key}\n`
}
Upload a file and ask about it:

  URL=${url}/api KEY=${shown}
  post() { curl -s "$URL/$1" -H "Authorization: Bearer $KEY" "\${@:2}"; }
  id() { sed 's/^{"id":"\\([^"]*\\)".*/\\1/'; }
  json='Content-Type: application/json'

  STORE=$(post datastores -H "$json" -d '{"name":"My documents"}' | id)
  FILE=$(post datasources -F datastoreId=$STORE -F file=@your-file.pdf | id)
  post datasources/$FILE/events -N | grep -o '"status":"[a-z]*"'
  AGENT=$(post agents -H "$json" -d '{"name":"Reader","datastoreIds":["'$STORE'"]}' | id)
  post agents/$AGENT/query -N -H "$json" -d '{"query":"What is it about?","streaming":true}'

Ctrl-C stops it.
`;
}
