import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { serverCertificate, serverKey, trust } from '../../../test/support/receivers/receiver.ts'
import { checkDestination } from './destination.ts'

/** The test of a destination always answers in time, with the step that failed. */

/** The promise is ten seconds; on a busy machine a test may look later than it was answered. */
const answerMs = 30_000

async function listening(t: TestContext, serve: (socket: Socket) => void, tls = false): Promise<string> {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  }
  const server = tls
    ? createTlsServer({ key: serverKey, cert: serverCertificate }, accept)
    : createServer(accept)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

/**
 * An address that never answers, as behind a firewall that drops packets: the system has as many connections for a
 * stopped process as it keeps, and passes over further ones.
 */
async function blackHole(t: TestContext): Promise<string> {
  const listen =
    'const s=net.createServer().listen({port:0,host:"127.0.0.1",backlog:1},()=>console.log(s.address().port))'
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGSTOP')
  const port = Number(said)
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.after(() => {
    for (const filler of fillers) filler.destroy()
  })
  await sleep(200)
  return `127.0.0.1:${port}`
}

/** Says `beginning` to the first bytes of a request, then `more` again and again. */
function saying(beginning: string, more: string, everyMs: number): (socket: Socket) => void {
  return socket => {
    socket.once('data', () => {
      socket.write(beginning)
      const timer = setInterval(() => socket.write(more), everyMs)
      socket.once('close', () => clearInterval(timer))
    })
  }
}

const s3 = (host: string) =>
  `s3://logs/a?region=r&endpoint=http://${host}&access-key-id=k&secret-access-key=s`

test('every test of a destination answers in time, and names the step', async t => {
  trust(t)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-probe-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'plain'), '')
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'fifo')])

  const mute = await listening(t, socket => socket.resume())
  const muteTls = await listening(t, socket => socket.resume(), true)
  const deaf = await listening(t, socket => socket.pause())
  const closing = await listening(t, socket => socket.destroy())
  const endlessHead = await listening(t, saying('HTTP/1.1 200 OK\r\n', 'x-more: y\r\n', 100))
  const floodingHead = await listening(t, saying('HTTP/1.1 200 OK\r\n', `x-more: ${'y'.repeat(4000)}\r\n`, 1))
  const drip = await listening(t, saying('H', '', 1000))
  const nonsense = await listening(t, saying('SSH-2.0-OpenSSH\r\n', '', 1000))
  const head = (status: number) => `HTTP/1.1 ${status} X\r\ncontent-length: 99999999\r\n\r\n`
  const endlessYes = await listening(t, saying(head(200), 'x', 100))
  const endlessNo = await listening(t, saying(head(403), 'x', 100))
  const silentBody = await listening(t, saying(head(503), '', 1000))

  const hole = await blackHole(t)

  const unreachable = /does not answer|cannot be reached|refuses connections/
  // The check itself says so where the machine was too busy for the destination's own limit of time.
  const late = /does not answer/
  const rows: [destination: string, want: RegExp | 'valid', step: string | undefined][] = [
    ['https://192.0.2.1/', unreachable, 'connect'],
    ['http://192.0.2.1:9/', unreachable, 'connect'],
    [s3('192.0.2.1:9'), unreachable, 'connect'],
    ['kafka://192.0.2.1:9092/logs?tls=false', unreachable, 'connect'],
    [`https://${hole}/`, /does not answer/, 'connect'],
    [`http://${hole}/`, /does not answer/, 'connect'],
    [s3(hole), /does not answer/, 'connect'],
    [`kafka://${hole}/logs?tls=false`, /does not answer/, 'connect'],
    ['https://nowhere.invalid/', /nowhere\.invalid/, 'resolve name'],
    [`https://${mute}/`, /does not finish the TLS handshake/, 'TLS'],
    [`https://${deaf}/`, /does not finish the TLS handshake/, 'TLS'],
    [`https://${closing}/`, /does not speak TLS|does not finish|cannot be reached/, 'TLS'],
    [`kafka://${mute}/logs`, /does not answer, or does not speak TLS/, 'connect'],
    [`https://${muteTls}/`, late, 'write'],
    [`http://${mute}/`, late, 'write'],
    [`http://${deaf}/`, late, 'write'],
    [`http://${closing}/`, /breaks the connection off/, 'write'],
    [s3(mute), late, 'write'],
    [s3(closing), /breaks the connection off/, 'write'],
    [`kafka://${mute}/logs?tls=false`, /the brokers do not answer|does not answer/, 'write'],
    [`kafka://${closing}/logs?tls=false`, /breaks the connection off/, 'write'],
    [`azure://${muteTls}/c?sv=1&sp=w&sig=x`, late, 'write'],
    [`http://${endlessHead}/`, late, 'write'],
    [s3(endlessHead), late, 'write'],
    [`http://${floodingHead}/`, /breaks the connection off/, 'write'],
    [`http://${drip}/`, late, 'write'],
    [`http://${nonsense}/`, /breaks the connection off/, 'write'],
    // The status has been said, and it is good.
    [`http://${endlessYes}/`, 'valid', undefined],
    [`http://${endlessNo}/`, /answered 403/, 'authenticate'],
    [`http://${silentBody}/`, /answered 503/, 'write'],
    [s3(endlessNo), /answered 403|does not answer|not S3's/, undefined],
    [`elastic://${endlessYes}/logs?tls=false`, /without a result for each document|does not answer/, 'write'],
    [`file://${folder}/plain/logs`, /ENOTDIR, a part of the path is a file/, 'write'],
    [`file://${folder}/plain`, /ENOTDIR, a part of the path is a file/, 'write'],
    [`file://${folder}/fifo`, /ENOTDIR, a part of the path is a file/, 'write'],
    [`file://${folder}/fifo/logs`, /ENOTDIR, a part of the path is a file/, 'write'],
    ['file:///proc/sluice/logs', /cannot be written: \w+/, 'write'],
    ['file:///proc/self/fd', /cannot be written: \w+/, 'write'],
    ['file:///dev/null/logs', /ENOTDIR/, 'write'],
  ]
  await Promise.all(
    rows.map(async ([destination, want, step]) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer of ${destination}`)), answerMs)
      })
      const { valid, message } = await Promise.race([
        checkDestination(destination, { reach: 'private', directory: '/' }),
        late,
      ])
      clearTimeout(timer)
      assert.equal(valid, want === 'valid', `${destination} ${message}`)
      if (want === 'valid') return
      assert.match(message, want, destination)
      assert.match(message, /\(failed step: (?:resolve name|connect|TLS|authenticate|write)\)$/, destination)
      if (step !== undefined)
        assert.ok(message.endsWith(`(failed step: ${step})`), `${destination} ${message}`)
    }),
  )
})
