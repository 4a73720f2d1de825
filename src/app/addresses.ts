import { createServer, type Server } from 'node:net'
import type { Listen, Settings, UnixListen } from '../model/settings/index.ts'
import { urlOf } from './api/run-api.ts'
import { inspectAddresses } from './edge/listeners.ts'
import { assertPathUsable } from './edge/unix-socket.ts'

interface Wanted {
  readonly listen: Listen | UnixListen
  readonly setting: string
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'needs more rights (ports below 1024 usually need root)',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
  EEXIST: 'is a file that is not a socket',
  ENOENT: 'is in a folder that does not exist',
}

/** An address of the settings, and why it cannot be used. */
export interface TriedAddress extends Wanted {
  readonly fault: Error | undefined
}

/**
 * Listens on every address of the settings for a moment. To be called before any file is created or opened.
 * @throws Error naming the first address that cannot be used, and its setting
 */
export async function refuseUnusableAddresses(settings: Settings): Promise<void> {
  const { roles, edgeListen, edgeTlsListen } = settings
  if (roles.has('edge') && edgeListen.length + edgeTlsListen.length === 0)
    throw new Error('the edge has no address: name one with SLUICE_EDGE_LISTEN or SLUICE_EDGE_TLS_LISTEN')
  for (const { fault } of await tryAddresses(settings)) if (fault !== undefined) throw fault
}

/** Listens on every address of the settings for a moment. */
export async function tryAddresses(settings: Settings): Promise<readonly TriedAddress[]> {
  const tried: TriedAddress[] = []
  const held: { readonly wanted: Wanted; readonly server: Server }[] = []
  try {
    for (const wanted of wantedAddresses(settings)) {
      try {
        if ('path' in wanted.listen) await assertPathUsable(wanted.listen)
        else held.push({ wanted, server: await hold(wanted.listen) })
        tried.push({ ...wanted, fault: undefined })
      } catch (error) {
        const others = held.filter(({ wanted: { listen } }) => portOf(listen) === portOf(wanted.listen))
        tried.push({ ...wanted, fault: refusal(wanted, error as NodeJS.ErrnoException, others[0]?.wanted) })
      }
    }
    return tried
  } finally {
    await Promise.all(held.map(({ server }) => new Promise(resolve => server.close(resolve))))
  }
}

/** Port 0 is always free. */
function wantedAddresses({
  roles,
  apiListen,
  apiTlsListen,
  edgeListen,
  edgeTlsListen,
  healthListen,
  ...settings
}: Settings): readonly Wanted[] {
  const wanted: Wanted[] = []
  if (roles.has('control')) {
    wanted.push({ listen: apiListen, setting: '--api-listen or SLUICE_API_LISTEN' })
    if (apiTlsListen !== undefined)
      wanted.push({ listen: apiTlsListen, setting: '--api-tls-listen or SLUICE_API_TLS_LISTEN' })
  }
  if (roles.has('edge')) {
    for (const listen of edgeListen) wanted.push({ listen, setting: '--edge-listen or SLUICE_EDGE_LISTEN' })
    for (const listen of edgeTlsListen)
      wanted.push({ listen, setting: '--edge-tls-listen or SLUICE_EDGE_TLS_LISTEN' })
  }
  if (roles.has('inspect'))
    for (const { setting, listen } of inspectAddresses(settings)) wanted.push({ listen, setting })
  if (healthListen !== undefined)
    wanted.push({ listen: healthListen, setting: '--health-listen or SLUICE_HEALTH_LISTEN' })
  return wanted.filter(({ listen }) => portOf(listen) !== 0)
}

function portOf(listen: Listen | UnixListen): number | undefined {
  return 'path' in listen ? undefined : listen.port
}

function hold({ host, port }: Listen): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port }, () => resolve(server))
  })
}

function refusal(
  { listen, setting }: Wanted,
  error: NodeJS.ErrnoException,
  other: Wanted | undefined,
): Error {
  const address = 'path' in listen ? listen.path : urlOf(listen, listen.port).replace('http://', '')
  const code = error.code ?? ''
  const reason =
    code === 'EADDRINUSE' && other !== undefined
      ? `is also the address of ${other.setting}`
      : (reasons[code] ?? `cannot be used: ${error.message}`)
  return new Error(`${address} ${reason} (${code}); name another address with ${setting}`, { cause: error })
}
