import { type LookupAddress, lookup } from 'node:dns'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { DestinationReach } from '../model/settings.ts'
import { refusedAddress } from './outgoing-address.ts'
import { SinkError, type SinkStep } from './sinks/sink.ts'

/** Name, TCP and TLS together: well below the ten seconds that a check may take. */
const connectTimeoutMs = 5_000

/** Where to connect to. */
export interface Endpoint {
  /** Name or address, without brackets. */
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Takes any certificate. */
  readonly insecure?: boolean
}

type Connected = (error: Error | null, socket: Socket | null) => void

/**
 * Connects, and calls back when bytes can be sent (with TLS: after the handshake). What the name resolves to is
 * checked when it is connected to, so a name that changes its address between two looks gains nothing.
 * @param connected called once; the error is a SinkError that names the step
 */
export function connectTo(endpoint: Endpoint, reach: DestinationReach, connected: Connected): void {
  const { host } = endpoint
  if (isIP(host) !== 0 && refusedAddress(host, reach) !== undefined) {
    const error = addressRefused(host, refusedAddress(host, reach)!, reach)
    setImmediate(() => connected(error, null))
    return
  }
  let step: SinkStep = isIP(host) === 0 ? 'resolve name' : 'connect'
  const socket = openSocket(endpoint, guardedLookup(reach))
  const timer = setTimeout(() => end(connectFailure(endpoint, step, undefined)), connectTimeoutMs)
  const end = (error: SinkError) => {
    clearTimeout(timer)
    socket.off('error', onError).off('close', onClose)
    // What else it complains about, nobody waits for.
    socket.on('error', () => {}).destroy()
    connected(error, null)
  }
  const onError = (error: Error) => end(connectFailure(endpoint, step, error))
  const onClose = () => end(connectFailure(endpoint, step, undefined))
  socket
    .once('error', onError)
    .once('close', onClose)
    .once('lookup', (error: Error | null) => {
      if (error === null) step = 'connect'
    })
    .once('connect', () => {
      step = 'TLS'
    })
    .once(endpoint.tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', onError).off('close', onClose)
      connected(null, socket)
    })
}

function openSocket({ host, port, tls, insecure }: Endpoint, lookupGuarded: LookupFunction): Socket {
  const options = { host, port, lookup: lookupGuarded, noDelay: true, keepAlive: true }
  if (!tls) return connectTcp(options)
  return connectTls({
    ...options,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: insecure !== true,
  })
}

/** Resolves a name to those of its addresses that may be connected to. Names below `localhost` are loopback (RFC 6761). */
export function guardedLookup(reach: DestinationReach): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[] | undefined) => {
      if (error !== null || addresses === undefined) return callback(error, [])
      const allowed = addresses.filter(({ address }) => refusedAddress(address, reach) === undefined)
      const [first] = allowed
      if (first === undefined) {
        const kind = addresses[0] === undefined ? 'unknown' : refusedAddress(addresses[0].address, reach)!
        callback(addressRefused(hostname, kind, reach), [])
      } else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    }
    if (/^(?:.*\.)?localhost\.?$/i.test(hostname))
      return answer(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    lookup(hostname, { ...options, all: true }, answer)
  }
}

export function addressRefused(host: string, kind: string, reach: DestinationReach): SinkError {
  return new SinkError(
    'address-refused',
    'never',
    `${host} has a ${kind} address, and SLUICE_DESTINATIONS=${reach} does not allow those`,
    { step: 'connect' },
  )
}

/** What went wrong between a name and a connection, in plain words. */
export function connectFailure(
  { host, port }: Pick<Endpoint, 'host' | 'port'>,
  step: SinkStep,
  cause: Error | undefined,
): SinkError {
  if (cause instanceof SinkError) return cause
  const { code, message } = (cause ?? {}) as { code?: string; message?: string }
  const at = `${host}:${port}`
  const words = () => {
    if (step === 'resolve name')
      return code === 'ENOTFOUND'
        ? `there is no address for the name ${host}`
        : `the name server does not answer for ${host}`
    if (step === 'TLS') return tlsWords(host, at, code, message)
    if (code === 'ECONNREFUSED') return `${at} refuses connections: nothing listens there`
    if (code === undefined || code === 'ETIMEDOUT') return `${at} does not answer`
    return `${at} cannot be reached: ${code}`
  }
  return new SinkError(
    code === undefined ? 'timeout' : step === 'TLS' ? 'tls' : 'unreachable',
    'later',
    words(),
    {
      cause,
      step,
    },
  )
}

function tlsWords(host: string, at: string, code: string | undefined, message: string | undefined): string {
  if (code === undefined) return `${at} does not finish the TLS handshake: does it speak TLS on this port?`
  if (code.startsWith('ERR_SSL') || code === 'ECONNRESET') return `${at} does not speak TLS on this port`
  return `the certificate of ${host} is not valid: ${message ?? code}`
}
