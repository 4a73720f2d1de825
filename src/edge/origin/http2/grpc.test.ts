import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceError,
  type StatusObject,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import type { EdgeDeps } from '../../exchange/deps.ts'
import { execution, fakeProgram } from '../../testing/fake-program.ts'
import { eventually, type PlanParts, planFor, rule, startOrigin } from '../../testing/fixture.ts'
import { startTls } from '../../testing/tls-edge.ts'
import { startTlsOrigin, tlsOriginCertificate, tlsOriginKey } from '../../testing/tls-origin.ts'

type Chat = ServerDuplexStream<Buffer, Buffer>

const same = (bytes: Buffer) => bytes
const codec = {
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
}

interface Service {
  /** Cancelled calls. */
  cancelled: number
  readonly url: string
}

/** A gRPC server with a unary method that repeats its message, one that fails, and a stream that repeats each message. */
async function startService(t: TestContext, isTls = false, at = 0): Promise<Service> {
  const server = new Server()
  const service = { cancelled: 0, url: '' }
  const unary = { requestStream: false, responseStream: false, ...codec }
  server.addService(
    {
      echo: { path: '/test.Test/Echo', ...unary },
      fail: { path: '/test.Test/Fail', ...unary },
      chat: { path: '/test.Test/Chat', ...codec, requestStream: true, responseStream: true },
    },
    {
      echo: (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
        const trailers = new Metadata()
        trailers.set('x-trailer', 'kept')
        done(null, call.request, trailers)
      },
      fail: (_call: unknown, done: sendUnaryData<Buffer>) =>
        done({ code: status.FAILED_PRECONDITION, details: 'not ready: 50 %' }),
      chat: (call: Chat) => {
        call.on('data', (message: Buffer) => call.write(message))
        call.on('end', () => call.end())
        call.on('cancelled', () => service.cancelled++)
        call.on('error', () => {})
      },
    },
  )
  const pair = { private_key: Buffer.from(tlsOriginKey), cert_chain: Buffer.from(tlsOriginCertificate) }
  const trust = isTls ? ServerCredentials.createSsl(null, [pair]) : ServerCredentials.createInsecure()
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${at}`, trust, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  t.after(() => server.forceShutdown())
  service.url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`
  return service
}

/** An edge that passes gRPC to an origin, and a client of it. */
async function start(
  t: TestContext,
  originUrl: string,
  parts: PlanParts = {},
  limits: EdgeDeps['limits'] = {},
) {
  const settings = { ssl: 'full' as const, grpc: true, ...parts.settings }
  const edge = await startTls(t, planFor(originUrl, parts), settings, { limits })
  const trust = credentials.createFromSecureContext(createSecureContext(), { rejectUnauthorized: false })
  const client = new Client(`127.0.0.1:${edge.tlsPort}`, trust, {
    'grpc.ssl_target_name_override': 'zone.test',
    'grpc.default_authority': 'zone.test',
    'grpc.enable_retries': 0,
  })
  t.after(() => client.close())
  const call = (method: string, message: string) =>
    new Promise<{ message: string; status: StatusObject }>((resolve, reject) => {
      let text = ''
      const running = client.makeUnaryRequest(
        `/test.Test/${method}`,
        same,
        same,
        Buffer.from(message),
        (error: ServiceError | null, answer?: Buffer) => {
          if (error !== null) reject(error)
          text = String(answer)
        },
      )
      running.on('status', received => resolve({ message: text, status: received }))
    })
  return { ...edge, call, chat: () => client.makeBidiStreamRequest('/test.Test/Chat', same, same) }
}

for (const isTls of [true, false]) {
  test(`calls pass to an origin over ${isTls ? 'TLS' : 'plain HTTP/2'}, with their trailers and status`, async t => {
    const service = await startService(t, isTls)
    const { call, records } = await start(t, service.url)
    const echoed = await call('Echo', 'hello')
    assert.equal(echoed.message, 'hello')
    assert.equal(echoed.status.code, status.OK)
    assert.deepEqual(echoed.status.metadata.get('x-trailer'), ['kept'])
    await assert.rejects(call('Fail', 'x'), { code: status.FAILED_PRECONDITION, details: 'not ready: 50 %' })
    await assert.rejects(call('Missing', 'x'), { code: status.UNIMPLEMENTED })
    await eventually(() => records.length === 3)
    for (const record of records) {
      assert.equal(record['EdgeResponseStatus'], 200)
      assert.equal(record['WAFFlags'], '0x8')
    }
  })
}

test('messages of a stream pass in both directions at once, are not inspected, and may pause', async t => {
  const service = await startService(t)
  const program = fakeProgram({ wantsRequestBody: true, wantsResponseBody: true })
  const rules = [rule(execution(program))]
  const limits = { bodyIdleTimeoutMs: 100, bodyGraceMs: 100 }
  const { chat, records } = await start(t, service.url, { managed: rules, response: rules }, limits)
  const stream = chat()
  for (const message of ['one', 'attack', 'a'.repeat(200_000)]) {
    stream.write(Buffer.from(message))
    const [answer] = (await once(stream, 'data')) as [Buffer]
    assert.equal(String(answer), message)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  const ended = once(stream, 'status') as Promise<[StatusObject]>
  stream.end()
  assert.equal((await ended)[0].code, status.OK)
  assert.ok(program.bodies.every(({ bytes }) => bytes.length === 0))
  assert.ok(program.requests.length > 0)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['WAFFlags'], '0x8')
})

test('a cancelled call is cancelled at the origin', async t => {
  const service = await startService(t)
  const { chat } = await start(t, service.url)
  const stream = chat()
  stream.on('error', () => {})
  stream.write(Buffer.from('one'))
  await once(stream, 'data')
  stream.cancel()
  await eventually(() => service.cancelled === 1)
})

test('an answer of the edge itself has a status that gRPC knows', async t => {
  const service = await startService(t)
  const blocked = await start(t, service.url, { custom: [rule({ kind: 'action', action: 'block' })] })
  await assert.rejects(blocked.call('Echo', 'x'), { code: status.PERMISSION_DENIED })
  const away = await start(t, 'http://127.0.0.1:1')
  await assert.rejects(away.call('Echo', 'x'), { code: status.UNAVAILABLE })
  const old = await startOrigin(t, (_request, response) => response.end())
  await assert.rejects((await start(t, old.url)).call('Echo', 'x'), { code: status.UNAVAILABLE })
})

test('calls pass as soon as the origin offers HTTP/2', async t => {
  const old = await startTlsOrigin(t)
  const { call } = await start(t, old.url)
  await assert.rejects(call('Echo', 'hello'), { code: status.UNAVAILABLE })
  old.server.close().closeAllConnections()
  await startService(t, true, Number(new URL(old.url).port))
  assert.equal((await call('Echo', 'hello')).message, 'hello')
})

test('in other zones, a gRPC call is a request like any other', async t => {
  const service = await startService(t, true)
  const program = fakeProgram({ wantsRequestBody: true })
  const parts = { settings: { grpc: false }, managed: [rule(execution(program))] }
  const { call, records } = await start(t, service.url, parts)
  assert.equal((await call('Echo', 'hello')).message, 'hello')
  await assert.rejects(call('Echo', 'attack'), { code: status.PERMISSION_DENIED })
  await eventually(() => records.length === 2)
  assert.ok(records.every(record => record['WAFFlags'] === ''))
})
