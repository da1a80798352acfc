/** A metric with its samples. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Names of the labels of all its samples. */
  readonly labels: readonly string[];
}

export interface Metrics {
  readonly families: readonly MetricFamily[];
  /** The sum of the samples with this name that have these labels; 0 without any. */
  value(name: string, labels: Readonly<Record<string, string>>): number;
}

interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Reads metrics in the Prometheus text format. */
export async function readMetrics(url: string): Promise<Metrics> {
  const text = await (await fetch(url)).text();
  const samples = text.split('\n').flatMap(sampleOf);
  const helps = new Map([...text.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name, help]) => [name, help]));
  const families = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => {
    const own = samples.filter(
      (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name || sample.name === name,
    );
    return {
      name,
      type,
      help: helps.get(name) ?? '',
      labels: [...new Set(own.flatMap(({ labels }) => [...labels.keys()]))],
    };
  });
  return {
    families,
    value: (name, labels) =>
      samples
        .filter(
          (one) =>
            one.name === name &&
            Object.entries(labels).every(([key, value]) => one.labels.get(key) === value),
        )
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function sampleOf(line: string): Sample[] {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return [
    { name, labels: new Map(pairs.map(([, key = '', text = '']) => [key, text])), value: Number(value) },
  ];
}
