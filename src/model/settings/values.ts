import { parseCidr } from '../../kit/cidr.ts'
import { settingLimits } from '../limits.ts'
import type { EdgeListen, Listen, Role, UnixListen } from './declaration.ts'

/* Settings are read from text. Each function returns the value, or undefined if the text is not allowed. */

/** `HOST:PORT` or `[IPv6]:PORT`. */
export function parseListen(value: string): Listen | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(value)
  if (match === null) return undefined
  const port = Number(match[3])
  return port > 65535 ? undefined : { host: (match[1] ?? match[2])!, port }
}

/** `HOST:PORT`, or `none` for no address. */
export function parseInspectListen(value: string): Listen | 'none' | undefined {
  return value === 'none' ? 'none' : parseListen(value)
}

/** TCP addresses and unix sockets, with commas between them; `none` for no address. */
export function parseEdgeListen(value: string): readonly EdgeListen[] | undefined {
  return parseEntries(value, (address, options) => parseUnixListen(address, options) ?? parseListen(address))
}

/** TCP addresses, with commas between them; `none` for no address. */
export function parseEdgeTlsListen(value: string): readonly EdgeListen<Listen>[] | undefined {
  return parseEntries(value, parseListen)
}

/** @param parse removes the options that it has read */
function parseEntries<Address extends Listen | UnixListen>(
  value: string,
  parse: (address: string, options: Set<string>) => Address | undefined,
): readonly EdgeListen<Address>[] | undefined {
  if (value.trim() === 'none') return []
  const entries: EdgeListen<Address>[] = []
  for (const text of value.split(',')) {
    const [address = '', ...words] = text.trim().split(/ +/)
    const options = new Set(words)
    const listen = parse(address, options)
    const proxyProtocol = options.delete('proxy_protocol')
    if (listen === undefined || options.size > 0) return undefined
    entries.push({ ...listen, proxyProtocol })
  }
  return entries
}

const defaultSocketMode = 0o660

/** `unix:/PATH`, with the option `mode=660`. */
function parseUnixListen(address: string, options: Set<string>): UnixListen | undefined {
  if (!address.startsWith('unix:/')) return undefined
  const path = address.slice('unix:'.length)
  if (path.endsWith('/') || Buffer.byteLength(path) > settingLimits.socketPathBytesMax) return undefined
  const option = [...options].find(one => /^mode=[0-7]{3}$/.test(one))
  if (option === undefined) return { path, mode: defaultSocketMode }
  options.delete(option)
  return { path, mode: Number.parseInt(option.slice('mode='.length), 8) }
}

export function parseSwitch(value: string): boolean | undefined {
  return value === 'on' ? true : value === 'off' ? false : undefined
}

/** Characters that a header can hold without encoding. */
export function parseSecret(value: string): string | undefined {
  return /^[A-Za-z0-9\-._~+/]{16,256}=*$/.test(value) ? value : undefined
}

/** A key from a setting or from the file in the data directory; undefined if it is not a key. */
export function parseKey(value: string): Uint8Array | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(value)) return Uint8Array.from(Buffer.from(value, 'hex'))
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Uint8Array.from(Buffer.from(value, 'base64')) : undefined
}

/** With commas between them. */
export function parseRoles(value: string): ReadonlySet<Role> | undefined {
  const roles = value.split(',').map(role => role.trim())
  const known: readonly string[] = ['control', 'edge', 'delivery', 'inspect'] satisfies Role[]
  return roles.every(role => known.includes(role)) ? new Set(roles as Role[]) : undefined
}

/** 1 to 256. */
export function parseWorkers(value: string): number | undefined {
  const workers = Number(value)
  return /^\d{1,3}$/.test(value) && workers >= 1 && workers <= 256 ? workers : undefined
}

/** 1 to 65535. */
export function parseConnections(value: string): number | undefined {
  const connections = Number(value)
  return /^\d{1,5}$/.test(value) && connections >= 1 && connections <= 65_535 ? connections : undefined
}

/** The modes of libpq that say what they do; `allow` and `prefer` may or may not encrypt. */
const sslModes: ReadonlySet<string> = new Set(['disable', 'require', 'verify-ca', 'verify-full'])

export function parseDatabaseUrl(value: string): string | undefined {
  if (parseUrl(value, ['postgres:', 'postgresql:']) === undefined) return undefined
  const { searchParams } = new URL(value)
  const mode = searchParams.get('sslmode')
  if (mode !== null && !sslModes.has(mode)) return undefined
  return mode === 'verify-ca' && !searchParams.get('sslrootcert') ? undefined : value
}

/** @param protocols with their colons */
export function parseUrl(value: string, protocols: readonly string[]): string | undefined {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined
}

/** NATS servers with commas between, all with TLS or none. */
export function parseNatsUrl(value: string): string | undefined {
  const servers = value.split(',').map(server => server.trim())
  if (!servers.every(server => parseUrl(server, ['nats:', 'tls:']) !== undefined)) return undefined
  const urls = servers.map(server => new URL(server))
  const protocols = new Set(urls.map(({ protocol }) => protocol))
  const signedIn = urls.filter(({ username, password }) => username !== '' || password !== '')
  // The client signs in to all servers as one user.
  const users = new Set(signedIn.map(({ username, password }) => `${username}:${password}`))
  return protocols.size === 1 && users.size <= 1 ? servers.join() : undefined
}

/** A Redis or Valkey server; the path is the number of a database. */
export function parseRedisUrl(value: string): string | undefined {
  if (parseUrl(value, ['redis:', 'rediss:']) === undefined) return undefined
  const { hostname, pathname, search, hash } = new URL(value)
  const isPlain = hostname !== '' && search === '' && hash === ''
  return isPlain && /^(\/\d{0,5})?$/.test(pathname) ? value : undefined
}

export function parseKeyPrefix(value: string): string | undefined {
  return /^[A-Za-z0-9_.:-]{1,64}$/.test(value) ? value : undefined
}

/** A name that a JetStream stream can have. */
export function parseStreamName(value: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : undefined
}

/** A NATS subject without wildcards. */
export function parseSubject(value: string): string | undefined {
  return /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(value) && value.length <= 128 ? value : undefined
}

/** How many servers keep each message. */
export function parseReplicas(value: string): number | undefined {
  return /^[1-5]$/.test(value) ? Number(value) : undefined
}

/** How many streams divide the records. */
export function parsePartitions(value: string): number | undefined {
  return /^[1-9]\d?$/.test(value) && Number(value) <= 64 ? Number(value) : undefined
}

/** Tags of NATS servers, with commas between them. */
export function parseTags(value: string): readonly string[] | undefined {
  const tags = value.split(',').map(tag => tag.trim())
  if (value.trim() === '') return []
  return tags.every(tag => /^[^\s,]{1,64}$/.test(tag)) ? tags : undefined
}

/** `512MiB`; from 1 MiB. @returns bytes */
export function parseBytes(value: string): number | undefined {
  const match = /^(\d{1,15})(?: ?([KMGT])iB)?$/.exec(value)
  if (match === null) return undefined
  const bytes = Number(match[1]) * 1024 ** ' KMGT'.indexOf(match[2] ?? ' ')
  return bytes >= 1024 ** 2 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined
}

/** `30m`; up to a year. @returns ms */
export function parseAge(value: string): number | undefined {
  const match = /^(\d{1,8})([smhd])$/.exec(value)
  if (match === null) return undefined
  const ms =
    Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as 's' | 'm' | 'h' | 'd']
  return ms <= 365 * 86_400_000 ? ms : undefined
}

/** With commas between them. */
export function parseCidrList(value: string): readonly string[] | undefined {
  const blocks = value.split(',').map(block => block.trim())
  return blocks.every(block => parseCidr(block) !== undefined) ? blocks : undefined
}

/** With commas between them. */
export function parsePathList(value: string): readonly string[] | undefined {
  const paths = value.split(',').map(path => path.trim())
  return paths.includes('') ? undefined : paths
}
