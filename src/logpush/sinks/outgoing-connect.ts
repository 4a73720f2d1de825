import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Reach } from '../../model/settings/index.ts'
import {
  type AddressPolicy,
  AddressRefusedError,
  addressProblem,
  guardedLookup,
} from '../../outgoing/index.ts'
import { destinationLimits } from './limits.ts'
import { SinkError, type SinkStep } from './sink.ts'

/** An address to connect to. */
export interface Endpoint {
  /** Name or address, without brackets. */
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Accepts any certificate. */
  readonly insecure?: boolean
}

/** The addresses that destinations may have. */
export function destinationPolicy(reach: Reach): AddressPolicy {
  return { reach, setting: 'SLUICE_DESTINATIONS' }
}

type Connected = (error: Error | null, socket: Socket | null) => void

/**
 * Connects, and calls back when bytes can be sent (with TLS: after the handshake). The check applies to the address
 * that is connected to, so a name that changes its address between two lookups gains nothing.
 * @param connected called once; the error is a SinkError that names the step
 */
export function connectTo(endpoint: Endpoint, reach: Reach, connected: Connected): void {
  const { host } = endpoint
  const policy = destinationPolicy(reach)
  const refused = isIP(host) === 0 ? undefined : addressProblem(host, host, policy)
  if (refused !== undefined) {
    setImmediate(() => connected(connectFailure(endpoint, 'connect', refused), null))
    return
  }
  let step: SinkStep = isIP(host) === 0 ? 'resolve name' : 'connect'
  const socket = openSocket(endpoint, guardedLookup(policy))
  const timer = setTimeout(() => end(connectFailure(endpoint, step, undefined)), destinationLimits.connectMs)
  const end = (error: SinkError) => {
    clearTimeout(timer)
    socket.off('error', onError).off('close', onClose)
    // Later errors of the socket need no handling.
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
      const { remoteAddress } = socket
      const reached = remoteAddress === undefined ? undefined : addressProblem(host, remoteAddress, policy)
      if (reached !== undefined) return end(connectFailure(endpoint, 'connect', reached))
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

/** A failure of name lookup or connection, in plain words. */
export function connectFailure(
  { host, port }: Pick<Endpoint, 'host' | 'port'>,
  reachedStep: SinkStep,
  cause: Error | undefined,
): SinkError {
  if (cause instanceof SinkError) return cause
  if (cause instanceof AddressRefusedError)
    return new SinkError('address-refused', 'never', cause.message, { step: 'connect' })
  const { code, message, syscall } = decisive(cause)
  const step = syscall === 'getaddrinfo' ? 'resolve name' : syscall === 'connect' ? 'connect' : reachedStep
  const at = `${host}:${port}`
  const words = () => {
    if (step === 'resolve name')
      return code === 'ENOTFOUND'
        ? `there is no address for the name ${host}: correct the name, or add it to the DNS`
        : `the name server does not answer for ${host}`
    if (step === 'TLS') return tlsWords(host, at, code, message)
    if (code === 'ECONNREFUSED')
      return `${at} refuses connections: nothing listens there; correct the address, or start the receiver`
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

interface SystemError {
  readonly code?: string
  readonly message?: string
  readonly syscall?: string
}

/** Every attempt at a host with several addresses has failed: the most informative error counts. */
function decisive(cause: Error | undefined): SystemError {
  const attempts = (cause instanceof AggregateError ? cause.errors : []) as readonly SystemError[]
  return attempts.find(({ code }) => code === 'ECONNREFUSED') ?? attempts[0] ?? (cause as SystemError) ?? {}
}

function tlsWords(host: string, at: string, code: string | undefined, message: string | undefined): string {
  if (code === undefined)
    return `${at} does not finish the TLS handshake: check that it speaks TLS on this port`
  if (code.startsWith('ERR_SSL') || code === 'ECONNRESET') return `${at} does not speak TLS on this port`
  // Node's message repeats the names in the certificate.
  const words = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'it is issued for other names' : (message ?? code)
  return `the certificate of ${host} is not valid: ${words}`
}
