/** One counting characteristic: a field, an entry of a map, or a value expression. */
export interface Characteristic {
  /** Prefix of a known characteristic; empty for a custom expression. */
  readonly kind: string
  /** Name of a header, cookie or argument; the expression when the kind is empty. */
  readonly text: string
}

interface Known {
  readonly kind: string
  readonly label: string
  /** True for maps, whose entry needs a name. */
  readonly named?: string
}

/** Labels of Cloudflare's dashboard. */
export const knownCharacteristics: readonly Known[] = [
  { kind: 'ip.src', label: 'IP' },
  { kind: 'cf.colo.id', label: 'Data centre' },
  { kind: 'http.host', label: 'Host' },
  { kind: 'http.request.uri.path', label: 'Path' },
  { kind: 'http.request.method', label: 'Method' },
  { kind: 'ip.src.country', label: 'Country' },
  { kind: 'ip.src.asnum', label: 'AS Num' },
  { kind: 'http.user_agent', label: 'User Agent' },
  { kind: 'http.request.headers', label: 'Header value of', named: 'x-api-key' },
  { kind: 'http.request.cookies', label: 'Cookie value of', named: 'session' },
  { kind: 'http.request.uri.args', label: 'Query argument', named: 'user' },
]

export function readCharacteristic(text: string): Characteristic {
  const known = knownCharacteristics.find(({ kind, named }) => kind === text && named === undefined)
  if (known !== undefined) return { kind: text, text: '' }
  const entry = /^([a-z_.]+)\["([^"\\]*)"\]$/.exec(text)
  if (entry !== null && isNamed(entry[1]!)) return { kind: entry[1]!, text: entry[2]! }
  return { kind: '', text }
}

export function writeCharacteristic({ kind, text }: Characteristic): string {
  if (kind === '') return text.trim()
  if (!isNamed(kind)) return kind
  // The rules language has header names in lower case.
  const name = kind === 'http.request.headers' ? text.toLowerCase() : text
  return `${kind}["${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`
}

/** For display, such as “IP, Header value of x-api-key”. */
export function describeCharacteristics(texts: readonly string[]): string {
  const shown = texts.map(text => {
    const { kind, text: name } = readCharacteristic(text)
    const known = knownCharacteristics.find(known => known.kind === kind)
    return known === undefined ? text : known.named === undefined ? known.label : `${known.label} ${name}`
  })
  return shown.join(', ')
}

function isNamed(kind: string): boolean {
  return knownCharacteristics.some(known => known.kind === kind && known.named !== undefined)
}
