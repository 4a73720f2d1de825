import { once } from 'node:events'
import { connect } from 'node:net'
import { kinds } from '../hostile/kinds.ts'
import { Random } from './random.ts'
import { wireBytes } from './sample-request.ts'

/** The task of a process of hostile clients: each sends one request after the other, on a separate connection. */
export interface HostileOrder {
  readonly port: number
  /** Name of a kind of `bench/hostile`. */
  readonly kind: string
  readonly clients: number
  readonly ms: number
}

/** Requests that take turns: each is made once, because that takes longer than sending it. */
const requestsMade = 16

process.on('message', async ({ port, kind, clients, ms }: HostileOrder) => {
  const { make } = kinds.find(({ name }) => name === kind)!
  const random = new Random()
  const requests = Array.from({ length: requestsMade }, () => {
    const { request, body } = make(random)
    return wireBytes({
      request: { ...request, headers: [...request.headers, ['Connection', 'close']] },
      body,
    })
  })
  process.send!('ready')
  const endMs = performance.now() + ms
  let sent = 0
  const client = async () => {
    while (performance.now() < endMs) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(requests[sent++ % requestsMade]!)
      socket.resume()
      await once(socket, 'close')
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  process.send!(sent)
})
process.on('disconnect', () => process.exit(0))
