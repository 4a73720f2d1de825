import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** The task of a process that opens connections and leaves them idle after their first response. */
export interface IdleOrder {
  readonly port: number
  readonly protocol: IdleProtocol
  readonly host: string
  readonly connections: number
}

export type IdleProtocol = 'HTTP/1.1' | 'TLS 1.3, HTTP/1.1' | 'TLS 1.3, HTTP/2'

const atOnce = 32
/** Edges close connections that are idle for longer. */
const renewMs = 40_000

/** A connection that has got a response. */
interface Idle {
  /** @returns whether there was a response; false when the connection was closed */
  ask(): Promise<boolean>
  close(): void
}

const open: Idle[] = []
let renewal: NodeJS.Timeout | undefined

process.on('message', async (order: IdleOrder | 'close') => {
  if (order === 'close') {
    clearInterval(renewal)
    for (const connection of open.splice(0)) connection.close()
    process.send!('closed')
    return
  }
  renewal = setInterval(() => void renew(), renewMs)
  let begun = 0
  const opener = async () => {
    while (begun++ < order.connections) {
      const connection = begin(order)
      if (await connection.ask()) open.push(connection)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, opener))
  process.send!(open.length)
})
process.on('disconnect', () => process.exit(0))

/** A few at a time, so that the answers are no load. */
async function renew(): Promise<void> {
  for (const [index, connection] of open.entries()) {
    void connection.ask()
    if (index % atOnce === 0) await sleep(1)
  }
}

function begin({ port, protocol, host }: IdleOrder): Idle {
  if (protocol === 'HTTP/1.1') return http1(connectTcp(port, '127.0.0.1'), host)
  const tls = { port, host: '127.0.0.1', servername: host, rejectUnauthorized: false }
  if (protocol === 'TLS 1.3, HTTP/1.1') return http1(connectTls(tls), host)
  const session = connectHttp2(`https://${host}`, {
    createConnection: () => connectTls({ ...tls, ALPNProtocols: ['h2'] }),
  })
  session.on('error', fail)
  return {
    ask: () =>
      session
        .request({ ':path': '/', ':authority': host })
        .resume()
        .toArray()
        .then(
          () => true,
          () => false,
        ),
    close: () => session.destroy(),
  }
}

function http1(socket: Socket, host: string): Idle {
  socket.on('error', fail)
  const request = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const closed = new Promise<boolean>(resolve => socket.once('close', () => resolve(false)))
  return {
    ask() {
      const answered = new Promise<boolean>(resolve => socket.once('data', () => resolve(true)))
      socket.write(request)
      return Promise.race([answered, closed])
    },
    close: () => socket.destroy(),
  }
}

function fail(error: Error): void {
  console.error(`bench: ${error.message}`)
}
