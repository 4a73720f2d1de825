import { connect } from 'node:tls'
import { type Fields, fieldBlock, frame, frameTypes, headers } from '../../src/edge/testing/http2-frames.ts'
import { frameFloods } from '../hostile/frame-floods.ts'

/** The task of a process of hostile clients: each floods one HTTP/2 connection, and opens the next when it is closed. */
export interface FrameOrder {
  readonly port: number
  readonly host: string
  readonly kind: string
  readonly clients: number
  readonly ms: number
}

process.on('message', async ({ port, host, kind, clients, ms }: FrameOrder) => {
  const fields: Fields = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/'],
    [':authority', host],
  ]
  const begin = Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(frameTypes.settings, 0, 0),
    headers(1, fieldBlock([[':method', 'POST'], ...fields.slice(1)])),
  ])
  const endMs = performance.now() + ms
  let sent = 0
  const client = async () => {
    while (performance.now() < endMs) {
      const socket = connect({
        port,
        host: '127.0.0.1',
        servername: host,
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      })
      socket.on('error', () => {}).resume()
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.write(begin)
      for (let at = 0; performance.now() < endMs && !socket.destroyed; at++) {
        sent++
        const taken = new Promise(resolve => socket.write(frameFloods[kind]!(fields, at), resolve))
        await Promise.race([taken, closed])
      }
      socket.destroy()
      await closed
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  process.send!(sent)
})
process.on('disconnect', () => process.exit(0))
