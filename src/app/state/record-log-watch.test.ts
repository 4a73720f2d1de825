import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@nats-io/transport-node'
import { eventually } from '../../../test/support/eventually.ts'
import { hasNats } from '../../../test/support/servers.ts'
import { openNatsRecordLog } from '../../bus/index.ts'
import { freePort } from '../../kit/testing/free-port.ts'
import type { Logger } from '../observe/logger.ts'
import { watchRecordLog } from './record-log-watch.ts'

test('a log whose NATS servers have no leader yet is reported once, and read when they have one', {
  skip: !hasNats && 'no nats-server',
}, async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-log-watch-'))
  const ports = [await freePort(), await freePort()]
  const routed = [await freePort(), await freePort()]
  const routes = routed.map(port => `nats://127.0.0.1:${port}`).join(',')
  /** One of two servers: alone, it has no majority. */
  const startServer = (at: number) => {
    const own = ['-n', `n${at}`, '-p', `${ports[at]}`, '-js', '-sd', join(directory, `${at}`)]
    const cluster = ['--cluster_name', 'c', '--cluster', `nats://127.0.0.1:${routed[at]}`, '--routes', routes]
    return spawn('nats-server', ['-a', '127.0.0.1', ...own, ...cluster], { stdio: 'ignore' })
  }
  const servers = [startServer(0)]
  const answering = await connect({ port: ports[0]!, waitOnFirstConnect: true, reconnectTimeWait: 50 })
  await answering.close()
  const log = openNatsRecordLog(`nats://127.0.0.1:${ports[0]}`, join(directory, 'spool'), () => {})
  const lines: string[] = []
  const logger = {
    error: (_: object, message: string) => lines.push(message),
    info: (message: string) => lines.push(message),
  } as unknown as Logger
  const watch = watchRecordLog(await log.reader(), logger, 50)
  t.after(async () => {
    watch.stop()
    await log.close()
    for (const server of servers) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    await rm(directory, { recursive: true, force: true })
  })
  await eventually(() => assert.match(watch.problem ?? '', /^the record log cannot be read since /))
  servers.push(startServer(1))
  await eventually(() => assert.equal(watch.problem, undefined))
  assert.deepEqual(lines, [
    'the record log cannot be read; delivery and analytics wait for it',
    'the record log can be read again',
  ])
})
