/** A binary min-heap of the best `capacity` documents by score. Of equal scores, the lower number wins. */
export class TopCandidates {
  private readonly docs: Int32Array;
  private readonly scores: Float64Array;
  private size = 0;

  constructor(private readonly capacity: number) {
    this.docs = new Int32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  offer(doc: number, score: number): void {
    if (this.size < this.capacity) {
      this.siftUp(this.size++, doc, score);
    } else if (this.isWorse(0, doc, score)) {
      this.siftDown(doc, score);
    }
  }

  /** Returns the documents, best first. */
  ranked(): { doc: number; score: number }[] {
    const entries = Array.from({ length: this.size }, (_, slot) => ({
      doc: this.docAt(slot),
      score: this.scoreAt(slot),
    }));
    return entries.sort((a, b) => b.score - a.score || a.doc - b.doc);
  }

  /** Whether the entry in the slot ranks below `(doc, score)`: lower score, or a tie and a higher number. */
  private isWorse(slot: number, doc: number, score: number): boolean {
    const other = this.scoreAt(slot);
    return other < score || (other === score && this.docAt(slot) > doc);
  }

  private siftUp(from: number, doc: number, score: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (this.isWorse(parent, doc, score)) break;
      this.move(parent, slot);
      slot = parent;
    }
    this.put(slot, doc, score);
  }

  private siftDown(doc: number, score: number): void {
    let slot = 0;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= this.size) break;
      const right = child + 1;
      if (right < this.size && this.isWorse(right, this.docAt(child), this.scoreAt(child))) child = right;
      if (!this.isWorse(child, doc, score)) break;
      this.move(child, slot);
      slot = child;
    }
    this.put(slot, doc, score);
  }

  private move(from: number, to: number): void {
    this.put(to, this.docAt(from), this.scoreAt(from));
  }

  private put(slot: number, doc: number, score: number): void {
    this.docs[slot] = doc;
    this.scores[slot] = score;
  }

  private docAt(slot: number): number {
    return this.docs[slot] ?? 0;
  }

  private scoreAt(slot: number): number {
    return this.scores[slot] ?? 0;
  }
}
