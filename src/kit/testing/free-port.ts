import { createServer } from 'node:net'

/** Below the ports that systems choose for connections and for port 0, so that nothing takes it before the caller. */
const range = { first: 20_000, count: 10_000 }

/** No port twice: a server that is stopped may come back. */
const given = new Set<number>()

/** A port of 127.0.0.1 for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * range.count)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer().on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
