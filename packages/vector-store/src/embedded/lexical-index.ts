import { grownInt32 } from './growable-arrays.js';

const PAGE_BITS = 14;
const PAGE_ENTRIES = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_ENTRIES - 1;
/** Length of a block header: address of the next block, number of entries. */
const HEADER = 2;
const FIRST_BLOCK = 2;
const LARGEST_BLOCK = 1024;
/** Estimated heap per entry of a `Map` from small integer to small integer, including unused slots. */
const MAP_ENTRY_BYTES = 40;
const SLOT_BYTES = 4 * 4;

/**
 * An inverted index: for each term, the documents that contain it and its weight in each.
 *
 * The postings of all terms share pages of typed arrays. The list of a term is a chain of blocks that double
 * in size. A large vocabulary therefore needs no array object per term, a growing list is never copied, the
 * garbage collector has nothing to trace, and the memory of the postings is known exactly.
 */
export class LexicalIndex {
  private readonly slots = new Map<number, number>();
  private readonly docPages: Int32Array[] = [];
  private readonly weightPages: Float32Array[] = [];
  /** Address of the next free entry. Address 0 means "none", so the first block starts after it. */
  private nextFree = HEADER;
  private heads = new Int32Array(64);
  private tails = new Int32Array(64);
  /** Free entries in the tail block. */
  private tailFree = new Int32Array(64);
  private lengths = new Int32Array(64);

  get bytes(): number {
    return (
      this.docPages.length * PAGE_ENTRIES * 8 +
      this.heads.length * SLOT_BYTES +
      this.slots.size * MAP_ENTRY_BYTES
    );
  }

  /** Adds a document. Document numbers must ascend. */
  add(doc: number, terms: Uint32Array, weights: Float32Array): void {
    for (let i = 0; i < terms.length; i++) this.append(terms[i]!, doc, weights[i]!);
  }

  /**
   * Number of live documents that contain the term.
   * @param liveMarks per document, negative if it is deleted; `null` if all are live
   */
  documentFrequency(term: number, liveMarks: Int32Array | null): number {
    const slot = this.slots.get(term | 0);
    if (slot === undefined) return 0;
    if (liveMarks === null) return this.lengths[slot]!;
    let live = 0;
    for (let block = this.heads[slot]!; block !== 0;) {
      const docs = this.docPages[block >> PAGE_BITS]!;
      const at = block & PAGE_MASK;
      const end = at + HEADER + docs[at + 1]!;
      for (let i = at + HEADER; i < end; i++) if (liveMarks[docs[i]!]! >= 0) live++;
      block = docs[at]!;
    }
    return live;
  }

  /**
   * Adds `factor × weight` to the score of every document that contains the term, including deleted ones.
   * Appends the documents whose score was 0 to `matched`, starting at `count`.
   * @returns the new number of documents in `matched`
   */
  accumulate(term: number, factor: number, scores: Float32Array, matched: Int32Array, count: number): number {
    const slot = this.slots.get(term | 0);
    if (slot === undefined) return count;
    let matchedCount = count;
    for (let block = this.heads[slot]!; block !== 0;) {
      const docs = this.docPages[block >> PAGE_BITS]!;
      const weights = this.weightPages[block >> PAGE_BITS]!;
      const at = block & PAGE_MASK;
      const end = at + HEADER + docs[at + 1]!;
      for (let i = at + HEADER; i < end; i++) {
        const doc = docs[i]!;
        const before = scores[doc]!;
        if (before === 0) matched[matchedCount++] = doc;
        scores[doc] = before + factor * weights[i]!;
      }
      block = docs[at]!;
    }
    return matchedCount;
  }

  /**
   * Returns a copy with new document numbers.
   * @param newNumbers new number of each document, ascending; −1 to omit it
   */
  compacted(newNumbers: Int32Array): LexicalIndex {
    const target = new LexicalIndex();
    for (const [term, slot] of this.slots) {
      for (let block = this.heads[slot]!; block !== 0;) {
        const docs = this.docPages[block >> PAGE_BITS]!;
        const weights = this.weightPages[block >> PAGE_BITS]!;
        const at = block & PAGE_MASK;
        const end = at + HEADER + docs[at + 1]!;
        for (let i = at + HEADER; i < end; i++) {
          const doc = newNumbers[docs[i]!]!;
          if (doc >= 0) target.append(term, doc, weights[i]!);
        }
        block = docs[at]!;
      }
    }
    return target;
  }

  private append(term: number, doc: number, weight: number): void {
    const slot = this.slotOf(term | 0);
    if (this.tailFree[slot] === 0) this.addBlock(slot);
    const block = this.tails[slot]!;
    const docs = this.docPages[block >> PAGE_BITS]!;
    const at = block & PAGE_MASK;
    const entry = at + HEADER + docs[at + 1]!;
    docs[entry] = doc;
    this.weightPages[block >> PAGE_BITS]![entry] = weight;
    docs[at + 1]!++;
    this.tailFree[slot]!--;
    this.lengths[slot]!++;
  }

  /** @param term the uint32 hash as an int32: V8 keeps every int32 unboxed, but not every uint32 */
  private slotOf(term: number): number {
    const known = this.slots.get(term);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    this.slots.set(term, slot);
    this.heads = grownInt32(this.heads, slot + 1);
    this.tails = grownInt32(this.tails, slot + 1);
    this.tailFree = grownInt32(this.tailFree, slot + 1);
    this.lengths = grownInt32(this.lengths, slot + 1);
    return slot;
  }

  /** Doubles the capacity of a list, by at most {@link LARGEST_BLOCK}. A block lies within one page. */
  private addBlock(slot: number): void {
    const capacity = Math.min(LARGEST_BLOCK, Math.max(FIRST_BLOCK, this.lengths[slot]!));
    const size = HEADER + capacity;
    if ((this.nextFree & PAGE_MASK) + size > PAGE_ENTRIES) this.nextFree = (this.nextFree | PAGE_MASK) + 1;
    const block = this.nextFree;
    this.nextFree += size;
    if (block >> PAGE_BITS >= this.docPages.length) {
      this.docPages.push(new Int32Array(PAGE_ENTRIES));
      this.weightPages.push(new Float32Array(PAGE_ENTRIES));
    }
    const tail = this.tails[slot]!;
    if (tail === 0) this.heads[slot] = block;
    else this.docPages[tail >> PAGE_BITS]![tail & PAGE_MASK] = block;
    this.tails[slot] = block;
    this.tailFree[slot] = capacity;
  }
}
