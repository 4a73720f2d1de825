import type { Checked } from '../../model/problem.ts'
import { accept } from '../problems.ts'
import { badDestination } from './destination-text.ts'
import { destinationLimits } from './limits.ts'
import { decoded, isPlainParameter, maskedText, secretForms, secretSegments } from './secrets.ts'

/** The address of a receiver, and the headers of every request. */
export interface ReceiverSettings {
  /** `http:` or `https:`, without credentials and without our own parameters. */
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Accepts any certificate. */
  readonly insecure: boolean
  /** Texts that messages must not contain, longest first. */
  readonly secrets: readonly string[]
  /** The `destination_conf` with `***` in place of every secret. */
  readonly masked: string
  /** Our own parameters from the address. */
  readonly own: ReadonlyMap<string, string>
}

/** Headers that delivery itself sets. */
const ownHeaders = [
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'user-agent',
]
/**
 * Other valid forms of a URL (more slashes, backslashes, ignored line ends) would let a person read another address
 * than the one that is used.
 */
const form = /^[a-z0-9]+:\/\/[^/\\?#\s]+(?:\/[^\\?#\s]*)?(?:\?[^#\t\r\n]*)?$/

/**
 * Reads `SCHEME://[USER:PASSWORD@]HOST[:PORT]/PATH?header_NAME=VALUE&…`. Parameters `header_*` become headers, those
 * of `own` are kept apart, all others stay in the address. User and password become basic authentication.
 * @param protocol of the requests; if `own` contains `tls`, `tls=false` makes it http
 * @source Cloudflare, "Enable HTTP destination"
 */
export function parseReceiver(
  destinationConf: string,
  protocol: 'http' | 'https',
  own: readonly string[] = [],
): Checked<ReceiverSettings> {
  const text = `${protocol}${destinationConf.slice(destinationConf.indexOf('://'))}`
  if (!form.test(destinationConf) || !URL.canParse(text))
    return badDestination(
      'it must have the form SCHEME://HOST/PATH?header_NAME=VALUE, without spaces, # and backslashes',
    )
  const url = new URL(text)
  const headers: Record<string, string> = {}
  const kept: string[] = []
  const ownValues = new Map<string, string>()
  for (const pair of url.search.slice(1).split('&')) {
    if (pair === '') continue
    const [name, value] = decodedPair(pair)
    if (name.startsWith('header_')) {
      const header = name.slice('header_'.length).toLowerCase()
      const problem = headerProblem(header, value)
      if (problem !== undefined) return badDestination(problem)
      headers[header] = value
    } else if (own.includes(name) || (name.startsWith('label_') && own.includes('label_*')))
      ownValues.set(name, value)
    else kept.push(pair)
  }
  if (Object.keys(headers).length > destinationLimits.headersMax)
    return badDestination(`it has more than ${destinationLimits.headersMax} headers`)
  if (url.username !== '' || url.password !== '') headers['authorization'] ??= basic(url)
  for (const name of ['tls', 'insecure-skip-verify'])
    if (!['true', 'false', undefined].includes(ownValues.get(name)))
      return badDestination(`${name} can only be true or false`)
  const secrets = secretsIn(url, headers, kept)
  url.search = kept.join('&')
  url.username = ''
  url.password = ''
  if (ownValues.get('tls') === 'false') url.protocol = 'http:'
  return accept({
    url,
    headers,
    insecure: ownValues.get('insecure-skip-verify') === 'true',
    secrets,
    masked: maskedText(destinationConf, { parameter: isPlainParameter }),
    own: ownValues,
  })
}

function decodedPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  const name = equals < 0 ? pair : pair.slice(0, equals)
  return [decoded(name), equals < 0 ? '' : decoded(pair.slice(equals + 1))]
}

function headerProblem(name: string, value: string): string | undefined {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) return `'${name.slice(0, 40)}' is no name of a header`
  if (ownHeaders.includes(name)) return `the header ${name} cannot be set`
  return /^[\x20-\x7e\x80-\xff\t]*$/.test(value)
    ? undefined
    : `the value of header_${name} has characters that headers cannot have`
}

function basic(url: URL): string {
  const text = `${decoded(url.username)}:${decoded(url.password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}

/** Credentials of `Authorization`. */
function isScheme(word: string): boolean {
  return /^(?:apikey|basic|bearer|splunk|token)$/i.test(word)
}

/** User, password, tokens in the path, and the values of headers and parameters, whole and word by word. */
function secretsIn(url: URL, headers: Readonly<Record<string, string>>, query: readonly string[]): string[] {
  return secretForms([
    ...Object.entries(headers).flatMap(([name, value]) =>
      name === 'content-type' ? [] : [value, ...value.split(' ').filter(word => !isScheme(word))],
    ),
    ...query.flatMap(pair => {
      const [name, value] = decodedPair(pair)
      return isPlainParameter(name) ? [] : [value === '' ? pair : pair.slice(pair.indexOf('=') + 1)]
    }),
    url.username,
    url.password,
    ...secretSegments(url.pathname),
  ])
}
