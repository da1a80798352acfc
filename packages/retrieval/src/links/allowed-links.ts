/** Web addresses in a text, with the punctuation that may follow them. */
const URL_IN_TEXT = /(?:https?:\/\/|www\.)[^\s<>"`|\\]+/gi;
/** Punctuation that may belong to the sentence around an address, and not to the address. */
const TRAILING_PUNCTUATION = /[.,;:!?'*_~()[\]]$/;
const MAX_TRAILING_PUNCTUATION = 8;
/** A character reference, which a Markdown reader replaces in an address. */
const REFERENCE = /&#?[a-z0-9]+;/i;

/** The web addresses that an answer may link to. */
export class AllowedLinks {
  private readonly keys = new Set<string>();

  /** @param texts passages, and the addresses of their documents */
  constructor(texts: Iterable<string>) {
    for (const text of texts)
      for (const [url] of text.matchAll(URL_IN_TEXT))
        for (const candidate of withoutPunctuation(url)) this.keys.add(keyOf(candidate));
  }

  /**
   * Whether one of the texts contains the address. The fragment and a final slash do not count. False for an address
   * with a character reference.
   */
  has(url: string): boolean {
    return !REFERENCE.test(url) && this.keys.has(keyOf(url));
  }

  /** The longest start of `text` that is an allowed address: `text` or `text` without punctuation at its end. */
  prefixOf(text: string): string | null {
    return withoutPunctuation(text).find((candidate) => this.has(candidate)) ?? null;
  }
}

/** The text, and the text without up to eight punctuation marks at its end. */
function withoutPunctuation(text: string): string[] {
  const candidates = [text];
  let rest = text;
  while (candidates.length <= MAX_TRAILING_PUNCTUATION && TRAILING_PUNCTUATION.test(rest))
    candidates.push((rest = rest.slice(0, -1)));
  return candidates;
}

/** Equal for addresses of the same document, with http or https. */
function keyOf(address: string): string {
  const url = URL.parse(/^www\./i.test(address) ? `https://${address}` : address);
  if (!url || !/^https?:$/.test(url.protocol)) return address;
  const { username, password, host, pathname, search } = url;
  return `${username}:${password}@${host}${pathname.replace(/\/$/, '')}${search}`;
}
