import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import pino from 'pino'
import type { WebSocket } from 'ws'
import { SocketListener } from './instant-logs-listener.ts'

/** Records the calls of a listener to its connection. */
class FakeSocket extends EventEmitter {
  readonly calls: string[] = []
  bufferedAmount = 0
  send(lines: string): void {
    this.calls.push(`send ${lines}`)
  }
  ping(data: string): void {
    this.calls.push(`ping ${data}`)
  }
  close(code: number, reason: string): void {
    this.calls.push(`close ${code} ${reason}`)
  }
  terminate(): void {
    this.calls.push('terminate')
    this.emit('close')
  }
}

const session = { id: '', zoneId: 'z', fields: '', filter: '', sample: 1, createdOn: '', listenedOn: '' }

function open() {
  const listener = new SocketListener(session, pino({ level: 'silent' }))
  const socket = new FakeSocket()
  return { listener, socket, connect: () => listener.open(socket as unknown as WebSocket) }
}

test('lines from before the connection opened are sent once it is open', () => {
  const { listener, socket, connect } = open()
  listener.send('a\n')
  connect()
  listener.send('b\n')
  assert.deepEqual(socket.calls, ['send a\n', 'send b\n'])
})

test('pings carry the number of dropped lines, and a listener without replies is disconnected', () => {
  const { listener, socket, connect } = open()
  connect()
  listener.ping()
  socket.emit('pong')
  listener.leaveOut(3)
  listener.leaveOut(4)
  listener.ping()
  socket.emit('pong')
  listener.ping()
  listener.ping()
  assert.deepEqual(socket.calls, ['ping ', 'ping 7', 'ping 7', 'terminate'])
})

test('the close reason has the number of dropped lines, and the close has a time limit', async () => {
  const { listener, socket, connect } = open()
  connect()
  let closed = 0
  listener.whenClosed(() => closed++)
  listener.leaveOut(1)
  await listener.close('stopped')
  assert.deepEqual(socket.calls, [
    'close 1001 the server stops; 1 line was left out, since they were taken too slowly',
    'terminate',
  ])
  socket.emit('close')
  assert.equal(closed, 1)
  // The reason of a close has 123 bytes at most.
  listener.leaveOut(Number.MAX_SAFE_INTEGER - 1)
  const longest = `nothing is expected from listeners; ${Number.MAX_SAFE_INTEGER} lines were left out, since they were taken too slowly`
  assert.ok(longest.length <= 123, String(longest.length))
})
