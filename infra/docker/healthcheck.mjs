// Exits with code 0 if one of the given URLs answers with a success status. The slim image has neither curl
// nor wget.
const answers = process.argv.slice(2).map(async (url) => {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error(`${url} answers ${status}`);
});
await Promise.any(answers).catch((error) => {
  process.stderr.write(`${error.errors.map(String).join('; ')}\n`);
  process.exit(1);
});
