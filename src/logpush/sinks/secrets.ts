import { destinationLimits } from './limits.ts'

/** Replaces a secret in a `destination_conf`. */
const mask = '***'

/** Parameters of receivers whose values are not secret; the values of all others are hidden. */
const plainParameters = new Set([
  'ddsource',
  'ddtags',
  'format',
  'host',
  'hostname',
  'index',
  'insecure-skip-verify',
  'manifest',
  'service',
  'source',
  'sourcetype',
  'tags',
  'tls',
])

/** Whether the value of this receiver parameter may be shown. */
export function isPlainParameter(name: string): boolean {
  return plainParameters.has(name) || name.startsWith('label_')
}

/**
 * Whether a part of the path is a token. Those after `/http/` (Sumo Logic) and `/v1/input/` (Datadog) are; others are
 * recognised by their form.
 */
function isSecretSegment(segment: string, before: string): boolean {
  if (/\/(?:v1\/http|v1\/input)\/$/.test(before)) return true
  return segment.length >= 20 || (segment.length >= 12 && /[0-9]/.test(segment) && /[a-zA-Z]/.test(segment))
}

/** The secret parts of a path, verbatim. */
export function secretSegments(path: string): string[] {
  const secrets: string[] = []
  let before = ''
  for (const segment of path.split('/')) {
    if (segment !== '' && isSecretSegment(segment, before)) secrets.push(segment)
    before += `${segment}/`
  }
  return secrets
}

/** The parts of a `destination_conf` that may be shown. */
export interface Shown {
  /** Whether a parameter may be shown, by its decoded name. */
  readonly parameter: (name: string) => boolean
  /** The path names a folder, never a token. */
  readonly path?: boolean
}

/** A `destination_conf` with its user, and everything else that must not be shown, masked. */
export function maskedText(destinationConf: string, { parameter, path = false }: Shown): string {
  const match = /^([a-z0-9]+:\/\/|[a-z0-9]+:)([^/?#]*)([^?#]*)(\?[^#]*)?/.exec(destinationConf)
  if (match === null) return mask
  const [, scheme, authority, folder, query] = match as unknown as [string, string, string, string, string?]
  const host = authority.includes('@')
    ? `${mask}@${authority.slice(authority.lastIndexOf('@') + 1)}`
    : authority
  return `${scheme}${host}${path ? folder : maskedPath(folder)}${maskedQuery(query, parameter)}`
}

function maskedPath(path: string): string {
  let before = ''
  const segments = path.split('/').map(segment => {
    const secret = segment !== '' && isSecretSegment(segment, before)
    before += `${segment}/`
    return secret ? mask : segment
  })
  return segments.join('/')
}

function maskedQuery(query: string | undefined, shown: Shown['parameter']): string {
  if (query === undefined) return ''
  const pairs = query
    .slice(1)
    .split('&')
    .map(pair => {
      const equals = pair.indexOf('=')
      const name = decoded(pair.slice(0, Math.max(0, equals)))
      if (shown(name)) return pair
      // A parameter without a name may be a token, even one that ends in an equals sign.
      const named =
        name.startsWith('header_') || (/[^=]/.test(pair.slice(equals)) && !isSecretSegment(name, ''))
      return equals > 0 && named ? `${pair.slice(0, equals)}=${mask}` : pair && mask
    })
  return `?${pairs.join('&')}`
}

/** Percent-decoded; unchanged where that is not possible. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A destination's text without our secrets: it may repeat the request. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

/** Secrets in every form in which they may be repeated, longest first. */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap(secret => [
    secret,
    decoded(secret),
    encodeURIComponent(decoded(secret)),
    JSON.stringify(decoded(secret)).slice(1, -1),
  ])
  return [...new Set(forms)]
    .filter(form => form.length >= destinationLimits.secretCharactersMin)
    .sort((a, b) => b.length - a.length)
}
