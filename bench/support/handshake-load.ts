import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The task of a process of hostile clients: each opens one TLS connection after the other. */
export interface HandshakeOrder {
  readonly port: number
  readonly host: string
  readonly kind: HandshakeKind
  readonly clients: number
  readonly ms: number
}

/** `TLS openings` send a ClientHello that was made once and leave at the first bytes: the edge does the costly part. */
export type HandshakeKind = 'TLS handshakes' | 'TLS openings'

process.on('message', async ({ port, host, kind, clients, ms }: HandshakeOrder) => {
  const hello = await recordedHello(host)
  const options = { port, host: '127.0.0.1', servername: host, rejectUnauthorized: false }
  const begin = () => {
    if (kind === 'TLS handshakes') return connectTls(options)
    const socket = connectTcp(port, '127.0.0.1')
    socket.write(hello)
    return socket
  }
  const answer = kind === 'TLS handshakes' ? 'secureConnect' : 'data'
  const endMs = performance.now() + ms
  let opened = 0
  const client = async () => {
    while (performance.now() < endMs) {
      const socket = begin()
      await once(socket, answer)
      opened++
      socket.on('error', () => {}).destroy()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  process.send!(opened)
})
process.on('disconnect', () => process.exit(0))

/** The first bytes that node sends as a TLS client. */
async function recordedHello(servername: string): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connectTls({ port, host: '127.0.0.1', servername }).on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [bytes] = await once(socket, 'data')
  client.destroy()
  server.close()
  return bytes
}
