/** One value of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics of one moment, by name. */
export interface Scrape {
  readonly atMs: number
  readonly samples: ReadonlyMap<string, readonly Sample[]>
}

/**
 * Reads metrics as text. Lines that are none are left out.
 * @source Prometheus text format 0.0.4
 */
export function parseMetrics(text: string, atMs: number): Scrape {
  const samples = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? []
    if (name === undefined) continue
    const list = samples.get(name) ?? []
    list.push({ labels: labelsIn(labels), value: value === '+Inf' ? Infinity : Number(value) })
    samples.set(name, list)
  }
  return { atMs, samples }
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, unescaped(value!)]))
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
}
