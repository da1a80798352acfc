/** Short texts about unrelated subjects. */
export const UNRELATED_TEXTS: readonly string[] = [
  'How long is the warranty of the washing machine?',
  'The cathedral was built in the twelfth century.',
  'To install the package, run the command as root.',
  'Penguins raise their young on the ice.',
  'The interest rate was raised by half a point.',
  'Add the eggs and whisk until the mixture is smooth.',
  'Employees may carry over five days of leave.',
  'The second violin enters in bar forty.',
];

/** Maps cosines of an embedding model to a scale on which unrelated texts have 0 and equal texts 1. */
export class CosineScale {
  private constructor(private readonly unrelated: number) {}

  /** @param vectors those of {@link UNRELATED_TEXTS} by the model, of any length */
  static of(vectors: readonly Float32Array[]): CosineScale {
    let sum = 0;
    let pairs = 0;
    vectors.forEach((a, i) => {
      for (const b of vectors.slice(i + 1)) {
        sum += cosine(a, b);
        pairs++;
      }
    });
    return new CosineScale(pairs === 0 ? 0 : sum / pairs);
  }

  /** The similarity, at most 1; negative if the texts are less similar than unrelated ones. */
  similarity(value: number): number {
    return (value - this.unrelated) / (1 - this.unrelated);
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, i) => {
    const other = b[i] ?? 0;
    product += value * other;
    squaresA += value * value;
    squaresB += other * other;
  });
  const length = Math.sqrt(squaresA * squaresB);
  return length === 0 ? 0 : product / length;
}
