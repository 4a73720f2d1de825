import { agentLimits } from '../limits.ts'
import { lengthFirst, Reader, SpopError, status, typed, type Value } from './wire.ts'

export interface Hello {
  readonly frameBytesMax: number
  /** HAProxy only asks whether the agent is up. */
  readonly isCheck: boolean
  readonly answer: Buffer
}

/** Reads HAPROXY-HELLO. @throws SpopError */
export function readHello(payload: Buffer, frameBytesMost: number): Hello {
  const known = pairsOf(new Reader(payload))
  const versions = known.get('supported-versions')
  const size = known.get('max-frame-size')
  if (typeof versions !== 'string') throw new SpopError(status.noVersion, 'no supported-versions')
  if (typeof size !== 'number') throw new SpopError(status.noFrameSize, 'no max-frame-size')
  if (typeof known.get('capabilities') !== 'string')
    throw new SpopError(status.noCapabilities, 'no capabilities')
  if (!versions.split(',').some(version => version.trim() === '2.0'))
    throw new SpopError(status.badVersion, 'the version has to be 2.0')
  if (size < agentLimits.spoeFrameBytesMin)
    throw new SpopError(status.badFrameSize, 'max-frame-size is too small')
  const frameBytesMax = Math.min(size, frameBytesMost)
  const answer = Buffer.concat([
    pair('version', '2.0'),
    pair('max-frame-size', frameBytesMax),
    // HAProxy 2.x fragments messages that are longer than a frame; later versions ignore this.
    pair('capabilities', 'pipelining,fragmentation'),
  ])
  return { frameBytesMax, isCheck: known.get('healthcheck') === true, answer }
}

export function disconnectPayload(code: number, message: string): Buffer {
  return Buffer.concat([pair('status-code', code), pair('message', message)])
}

export function pairsOf(reader: Reader, count = Number.POSITIVE_INFINITY): ReadonlyMap<string, Value> {
  const pairs = new Map<string, Value>()
  for (let left = count; left > 0 && !reader.done; left--) pairs.set(reader.name(), reader.value())
  return pairs
}

function pair(name: string, value: string | number): Buffer {
  return Buffer.concat([lengthFirst(name), typed(value)])
}
