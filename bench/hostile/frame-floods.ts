import {
  endStream,
  type Fields,
  fieldBlock,
  frame,
  frameTypes,
  headers,
} from '../../src/edge/testing/http2-frames.ts'

/** Makes the bytes of a client. @param at number of blocks before on this connection */
type Block = (fields: Fields, at: number) => Buffer

const framesAtOnce = 500

const repeated = (one: Buffer) => () => Buffer.concat(Array<Buffer>(framesAtOnce).fill(one))

/** A block for each of many streams that no block before has used. */
function streams(make: (streamId: number, fields: Fields) => Buffer): Block {
  return (fields, at) => {
    const first = 2 * framesAtOnce * at + 3
    return Buffer.concat(Array.from({ length: framesAtOnce }, (_, index) => make(first + 2 * index, fields)))
  }
}

const cancel = (streamId: number) => frame(frameTypes.reset, 0, streamId, Buffer.from([0, 0, 0, 8]))

/** Blocks by kind. Stream 1 is a request whose body never ends. */
export const frameFloods: { readonly [kind: string]: Block } = {
  PING: repeated(frame(frameTypes.ping, 0, 0, Buffer.alloc(8))),
  SETTINGS: repeated(frame(frameTypes.settings, 0, 0)),
  PRIORITY: repeated(frame(frameTypes.priority, 0, 3, Buffer.from([0, 0, 0, 0, 16]))),
  WINDOW_UPDATE: repeated(frame(frameTypes.windowUpdate, 0, 1, Buffer.from([0, 0, 0, 1]))),
  'DATA of one byte': repeated(frame(frameTypes.data, 0, 1, Buffer.from('a'))),
  'empty DATA': repeated(frame(frameTypes.data, 0, 1)),
  'requests that are reset': streams((id, fields) =>
    Buffer.concat([headers(id, fieldBlock(fields), endStream), cancel(id)]),
  ),
  'headers of 60 KB': streams((id, fields) =>
    id % 100 === 1
      ? headers(id, fieldBlock([...fields, ['x-long', 'a'.repeat(60_000)]]), endStream)
      : Buffer.alloc(0),
  ),
}

export const frameKinds: readonly string[] = Object.keys(frameFloods)
