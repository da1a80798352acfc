/**
 * Generates heading anchors like GitHub and most renderers: lower case, without punctuation, hyphens for
 * spaces, and a numeric suffix from the second occurrence on.
 */
export class HeadingAnchors {
  private readonly times = new Map<string, number>();

  next(title: string): string {
    const slug = title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = this.times.get(slug) ?? 0;
    this.times.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}
