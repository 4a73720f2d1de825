import { createServer, type Server } from 'node:net'

/** Below the ports that systems choose for connections and for port 0, so that nothing takes one before the caller. */
const firstPort = 20_000
/** A process that needs more takes another slice. */
const slicePorts = 100
const sliceCount = 100

let slice: Promise<number[]> | undefined

/** A port of 127.0.0.1 for a server that cannot choose one itself. No port twice: a server that is stopped may come back. */
export async function freePort(): Promise<number> {
  for (;;) {
    slice ??= ownSlice()
    const present = slice
    const port = (await present).pop()
    if (port === undefined) {
      if (slice === present) slice = undefined
      continue
    }
    const server = await listening(port)
    if (server === undefined) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** This process listens on the slice's first port to its end, so that no other one takes the same slice. */
async function ownSlice(): Promise<number[]> {
  for (;;) {
    const first = firstPort + slicePorts * Math.floor(Math.random() * sliceCount)
    const server = await listening(first)
    if (server === undefined) continue
    server.unref()
    return Array.from({ length: slicePorts - 1 }, (_, n) => first + 1 + n)
  }
}

/** @returns undefined when the port is taken */
function listening(port: number): Promise<Server | undefined> {
  return new Promise(resolve => {
    const server = createServer().once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
