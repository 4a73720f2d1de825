import type { Socket } from 'node:net'

/** The result of reading the first bytes of a connection. */
export type Opening<Result> =
  /** @param rest bytes that belong to the protocol that follows */
  | { readonly kind: 'read'; readonly result: Result; readonly rest: Buffer }
  | { readonly kind: 'partial' | 'malformed' }

export interface OpeningLimits {
  readonly openingBytesMax: number
  readonly openingTimeoutMs: number
}

/** The peer ended the connection, was too slow, or sent something else. */
export type OpeningFailure = 'closed' | 'timeout' | 'malformed'

/**
 * Reads the first bytes of a connection, before its protocol begins, and puts the rest back.
 * @returns undefined when the connection ended, was too slow or sent something else; it is destroyed then
 */
export function readOpening<Result>(
  socket: Socket,
  limits: OpeningLimits,
  parse: (bytes: Buffer) => Opening<Result>,
  onFailure: (failure: OpeningFailure) => void = () => {},
): Promise<Result | undefined> {
  return new Promise(resolve => {
    let bytes: Buffer = Buffer.alloc(0)
    const settle = (result: Result | undefined) => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose).off('end', onClose)
      resolve(result)
    }
    const fail = (failure: OpeningFailure) => {
      settle(undefined)
      socket.destroy()
      onFailure(failure)
    }
    const onClose = () => fail('closed')
    const onData = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const opening = parse(bytes)
      if (opening.kind === 'partial' && bytes.length < limits.openingBytesMax) return
      socket.pause()
      if (opening.kind !== 'read') {
        fail('malformed')
        return
      }
      settle(opening.result)
      if (opening.rest.length > 0) socket.unshift(opening.rest)
    }
    const timer = setTimeout(() => fail('timeout'), limits.openingTimeoutMs)
    socket.on('data', onData).once('close', onClose).once('end', onClose)
    // An opening before this one has paused it.
    socket.resume()
  })
}
