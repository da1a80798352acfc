import { grownInt32 } from './growable-arrays.js';

const PAGE_BITS = 14;
const PAGE_ENTRIES = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_ENTRIES - 1;
/** A block begins with the address of the next block and its own number of entries. */
const HEADER = 2;
const FIRST_BLOCK = 2;
const LARGEST_BLOCK = 1024;
/** Estimated heap of one entry of a `Map` from small integer to small integer, the table's slack included. */
const MAP_ENTRY_BYTES = 40;
const SLOT_BYTES = 4 * 4;

/**
 * An inverted index: for each term the documents that have it, with its weight there.
 *
 * Postings of all terms share pages of typed arrays: a term's list is a chain of blocks that double in size. A vocabulary
 * of a hundred thousand terms then costs no hundred thousand array objects, nothing is copied when a list grows, the
 * garbage collector has nothing to trace, and the memory used is known exactly.
 */
export class LexicalIndex {
  private readonly slots = new Map<number, number>();
  private readonly docPages: Int32Array[] = [];
  private readonly weightPages: Float32Array[] = [];
  /** Address of the next free entry; address 0 means "none", so the first block starts behind it. */
  private free = HEADER;
  private heads = new Int32Array(64);
  private tails = new Int32Array(64);
  /** Entries still free in the tail block. */
  private room = new Int32Array(64);
  private lengths = new Int32Array(64);

  get bytes(): number {
    return (
      this.docPages.length * PAGE_ENTRIES * 8 +
      this.heads.length * SLOT_BYTES +
      this.slots.size * MAP_ENTRY_BYTES
    );
  }

  /** Adds a document; numbers must ascend from call to call. `terms` are uint32. */
  add(doc: number, terms: Uint32Array, weights: Float32Array): void {
    for (let i = 0; i < terms.length; i++) this.append(terms[i]!, doc, weights[i]!);
  }

  /**
   * Documents that have the term and are alive.
   * @param aliveMarks at least 0 where the document is alive; `null` when all are
   */
  documentFrequency(term: number, aliveMarks: Int32Array | null): number {
    const slot = this.slots.get(term | 0);
    if (slot === undefined) return 0;
    if (aliveMarks === null) return this.lengths[slot]!;
    let alive = 0;
    for (let block = this.heads[slot]!; block !== 0;) {
      const docs = this.docPages[block >> PAGE_BITS]!;
      const at = block & PAGE_MASK;
      const end = at + HEADER + docs[at + 1]!;
      for (let i = at + HEADER; i < end; i++) if (aliveMarks[docs[i]!]! >= 0) alive++;
      block = docs[at]!;
    }
    return alive;
  }

  /**
   * Adds `factor × weight` to the score of every document that has the term, dead ones too, and notes the documents
   * whose score was 0 before.
   * @returns the new number of noted documents
   */
  accumulate(term: number, factor: number, scores: Float32Array, noted: Int32Array, count: number): number {
    const slot = this.slots.get(term | 0);
    if (slot === undefined) return count;
    let notedCount = count;
    for (let block = this.heads[slot]!; block !== 0;) {
      const docs = this.docPages[block >> PAGE_BITS]!;
      const weights = this.weightPages[block >> PAGE_BITS]!;
      const at = block & PAGE_MASK;
      const end = at + HEADER + docs[at + 1]!;
      for (let i = at + HEADER; i < end; i++) {
        const doc = docs[i]!;
        const before = scores[doc]!;
        if (before === 0) noted[notedCount++] = doc;
        scores[doc] = before + factor * weights[i]!;
      }
      block = docs[at]!;
    }
    return notedCount;
  }

  /** A copy with other document numbers. @param renumbered −1 for documents to leave out; otherwise ascending */
  compacted(renumbered: Int32Array): LexicalIndex {
    const target = new LexicalIndex();
    for (const [term, slot] of this.slots) {
      for (let block = this.heads[slot]!; block !== 0;) {
        const docs = this.docPages[block >> PAGE_BITS]!;
        const weights = this.weightPages[block >> PAGE_BITS]!;
        const at = block & PAGE_MASK;
        const end = at + HEADER + docs[at + 1]!;
        for (let i = at + HEADER; i < end; i++) {
          const doc = renumbered[docs[i]!]!;
          if (doc >= 0) target.append(term, doc, weights[i]!);
        }
        block = docs[at]!;
      }
    }
    return target;
  }

  private append(term: number, doc: number, weight: number): void {
    const slot = this.slotOf(term | 0);
    if (this.room[slot] === 0) this.addBlock(slot);
    const block = this.tails[slot]!;
    const docs = this.docPages[block >> PAGE_BITS]!;
    const at = block & PAGE_MASK;
    const entry = at + HEADER + docs[at + 1]!;
    docs[entry] = doc;
    this.weightPages[block >> PAGE_BITS]![entry] = weight;
    docs[at + 1]!++;
    this.room[slot]!--;
    this.lengths[slot]!++;
  }

  /** Terms are uint32; as int32 they are small integers to V8, and the map needs no boxed numbers. */
  private slotOf(term: number): number {
    const known = this.slots.get(term);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    this.slots.set(term, slot);
    this.heads = grownInt32(this.heads, slot + 1);
    this.tails = grownInt32(this.tails, slot + 1);
    this.room = grownInt32(this.room, slot + 1);
    this.lengths = grownInt32(this.lengths, slot + 1);
    return slot;
  }

  /** Doubles the term's capacity, up to blocks of {@link LARGEST_BLOCK}; a block lies within one page. */
  private addBlock(slot: number): void {
    const capacity = Math.min(LARGEST_BLOCK, Math.max(FIRST_BLOCK, this.lengths[slot]!));
    const size = HEADER + capacity;
    if ((this.free & PAGE_MASK) + size > PAGE_ENTRIES) this.free = (this.free | PAGE_MASK) + 1;
    const block = this.free;
    this.free += size;
    if (block >> PAGE_BITS >= this.docPages.length) {
      this.docPages.push(new Int32Array(PAGE_ENTRIES));
      this.weightPages.push(new Float32Array(PAGE_ENTRIES));
    }
    const tail = this.tails[slot]!;
    if (tail === 0) this.heads[slot] = block;
    else this.docPages[tail >> PAGE_BITS]![tail & PAGE_MASK] = block;
    this.tails[slot] = block;
    this.room[slot] = capacity;
  }
}
