import { Readable } from 'node:stream'
import type { BodyFraming, BodyInput } from './body-source.ts'

/** A body that was already received. @param cut only its beginning was */
export function receivedBody(bytes: Uint8Array, framing: BodyFraming, cut = false): BodyInput {
  const stream = new Readable({ read() {} })
  if (bytes.length > 0) stream.push(bytes)
  stream.push(null)
  return Object.assign(stream, framing, { complete: true, cut })
}
