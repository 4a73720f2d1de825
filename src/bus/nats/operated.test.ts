import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys'
import { connect } from '@nats-io/transport-node'
import { freePort } from '../../kit/testing/free-port.ts'
import { RecordLogError } from '../faults.ts'
import { defaultPolicy } from '../policy.ts'
import { openForwarding, openNats } from '../testing/nats.ts'
import { type NatsOptions, usualOptions } from './options.ts'
import { natsState } from './state.ts'

const available = spawnSync('nats-server', ['--version']).status === 0
if (!available)
  console.error('NOT TESTED: NATS with TLS, credentials and several servers: nats-server is not installed')

describe('NATS in operation', { skip: available ? false : 'no nats-server on the path' }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-nats-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const file = (name: string) => join(directory, name)

  /** One record written and read. */
  async function roundTrip(url: string, options: Partial<NatsOptions>) {
    const log = openForwarding(url, fault => assert.fail(fault.message), defaultPolicy, options)
    const [writer, reader] = [await log.writer('w'), await log.reader()]
    writer.append('"one"')
    await writer.flush()
    const [partition] = await reader.partitions()
    const [record] = await reader.read(partition!, 0, { records: 1, bytes: 1 })
    assert.equal(record?.record, '"one"')
    await log.close()
  }

  /** A first use of the server. */
  async function look(url: string, options: Partial<NatsOptions> = {}) {
    const log = openNats(url, () => {}, defaultPolicy, options)
    try {
      await (await log.reader()).partitions()
    } finally {
      await log.close()
    }
  }

  const refused = (error: unknown) => error instanceof RecordLogError && error.code === 'unavailable'

  test('TLS with a private authority; without it the servers are not trusted', async t => {
    const subject = ['-subj', '/CN=nats', '-addext', 'subjectAltName=DNS:localhost']
    const files = ['-keyout', file('key.pem'), '-out', file('cert.pem')]
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      ...subject,
      ...files,
    ])
    if (made.status !== 0) return t.skip('no openssl')
    const port = await server(t, `tls { cert_file: "${file('cert.pem')}", key_file: "${file('key.pem')}" }`)
    for (const protocol of ['tls', 'nats'])
      await roundTrip(`${protocol}://localhost:${port}`, {
        ca: file('cert.pem'),
        stream: protocol,
        subject: protocol,
      })
    await assert.rejects(look(`tls://localhost:${port}`), refused)
    await assert.rejects(look(`tls://localhost:${port}`, { ca: file('absent.pem') }), /absent\.pem/)
  })

  test('a credentials file, and several servers, one of them unavailable', async t => {
    const operator = createOperator()
    const [system, account, user] = [createAccount(), createAccount(), createUser()]
    const unlimited = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1 }
    const stored = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
    const tokens = {
      operator: jwt(operator, operator, { type: 'operator', version: 2 }),
      system: jwt(operator, system, {
        type: 'account',
        version: 2,
        limits: { ...unlimited, wildcards: true },
      }),
      account: jwt(operator, account, {
        type: 'account',
        version: 2,
        limits: { ...unlimited, ...stored, wildcards: true },
      }),
      user: jwt(account, user, { type: 'user', version: 2, subs: -1, data: -1, payload: -1 }),
    }
    const port = await server(
      t,
      `operator: "${tokens.operator}"\nsystem_account: "${system.getPublicKey()}"\nresolver: MEMORY\n` +
        `resolver_preload { ${system.getPublicKey()}: "${tokens.system}", ${account.getPublicKey()}: "${tokens.account}" }`,
    )
    const seed = new TextDecoder().decode(user.getSeed())
    writeFileSync(
      file('user.creds'),
      `-----BEGIN NATS USER JWT-----\n${tokens.user}\n------END NATS USER JWT------\n\n` +
        `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
    )
    assert.ok(readFileSync(file('user.creds')).length > 0)
    await assert.rejects(look(`nats://127.0.0.1:${port}`), refused)
    await roundTrip(`nats://127.0.0.1:1,nats://127.0.0.1:${port}`, { credentials: file('user.creds') })
  })

  test('a new stream is created according to the settings', async t => {
    const url = `nats://127.0.0.1:${await server(t, '')}`
    const named = { stream: 'EDGE_LOGS', subject: 'edge.logs' }
    const placed = { cluster: 'eu', tags: ['ssd'] }
    await roundTrip(url, { ...named, ...placed, duplicateMs: 20 * 60_000 })
    const connection = await connect({ servers: url })
    const { config } = await (await jetstreamManager(connection)).streams.info('EDGE_LOGS_1')
    await connection.close()
    assert.deepEqual(
      [config.subjects, config.num_replicas, config.duplicate_window, config.max_bytes, config.placement],
      [['edge.logs.1.>'], 1, 20 * 60 * 1e9, 1024 ** 3, placed],
    )
    const asked = { ...usualOptions, ...named, partitions: 2 }
    assert.deepEqual((await natsState(url, defaultPolicy, asked)).streams, [
      { name: 'EDGE_LOGS_1', found: { replicas: 1, behind: [] } },
      { name: 'EDGE_LOGS_2', found: undefined },
    ])
    // A single server cannot keep three copies, and says so.
    const faults: string[] = []
    const log = openNats(url, fault => faults.push(fault.message), defaultPolicy, {
      stream: 'THREE',
      subject: 'three',
      replicas: 3,
    })
    await log.forward!()
    await eventually(async () => faults.some(message => message.includes('replicas')))
    await log.close()
  })

  test('a user and password in one of several server addresses', async t => {
    const port = await server(t, 'authorization { user: "sluice", password: "p@ss word" }')
    const away = 'nats://127.0.0.1:1'
    await assert.rejects(look(`${away},nats://127.0.0.1:${port}`), refused)
    for (const user of ['sluice:p%40ss%20word@', ''])
      await roundTrip(`nats://sluice:p%40ss%20word@127.0.0.1:1,nats://${user}127.0.0.1:${port}`, {})
    await roundTrip(`${away},nats://sluice:p%40ss%20word@127.0.0.1:${port}`, {})
  })

  const refusing = { ...defaultPolicy, bytes: 10 * 1024 * 1024, full: 'refuse-requests' } as const
  const mine = { name: 'SLUICE_RECORDS_1', subjects: ['sluice.records.1.>'], storage: StorageType.File }

  /** An operator's own connection. */
  async function asOperator(t: TestContext, url: string) {
    const { host, username, password } = new URL(url)
    const connection = await connect({ servers: host, user: username, pass: password })
    t.after(() => connection.close())
    return (await jetstreamManager(connection)).streams
  }

  for (const { limit, stream } of [
    { limit: 'messages of the stream', stream: { ...mine, max_msgs: 50 } },
    { limit: 'bytes of the server', stream: mine },
  ])
    test(`a log that is full by the ${limit} reports it, and continues once its records are delivered`, async t => {
      const file = limit === 'bytes of the server' ? ', max_file_store: 200KB' : ''
      const url = `nats://127.0.0.1:${await server(t, '', file)}`
      await (await asOperator(t, url)).add(stream)
      const log = openForwarding(url, ({ dropped }) => assert.equal(dropped, 0), refusing)
      t.after(() => log.close().catch(() => {}))
      const [writer, reader] = [await log.writer('w'), await log.reader()]
      for (let n = 1; n <= 60; n++) writer.append(`${n}`.padEnd(5000))
      await eventually(() => reader.isFull())
      assert.equal(writer.full, undefined, 'the others wait in the spool')
      await reader.release('nats-1', 0)
      const [first] = await reader.stats()
      assert.equal(first!.first, 1, 'undelivered records are kept')

      await eventually(async () => {
        await reader.release('nats-1', await reader.head('nats-1'))
        return (await reader.head('nats-1')) === 60 && !(await reader.isFull())
      })
      await log.close()
    })

  test('where no job waits for records, the oldest are deleted at any limit', async t => {
    const url = `nats://127.0.0.1:${await server(t, '', ', max_file_store: 200KB')}`
    await (await asOperator(t, url)).add(mine)
    const log = openForwarding(url, ({ dropped }) => assert.equal(dropped, 0), refusing)
    const writer = await log.writer('w', () => false)
    for (let n = 1; n <= 60; n++) writer.append(`${n}`.padEnd(5000))
    await writer.flush()
    await log.close()
  })

  test('an operator’s stream is left unchanged where the oldest may be deleted; the log has the reason of a refusal once', async t => {
    const url = `nats://127.0.0.1:${await server(t, '')}`
    const streams = await asOperator(t, url)
    const { config } = await streams.add({ ...mine, max_msgs: 5, discard: DiscardPolicy.New })
    const faults: string[] = []
    const log = openForwarding(url, fault => faults.push(fault.message))
    const writer = await log.writer('w')
    for (let n = 1; n <= 10; n++) writer.append(`${n}`)
    const saying = () => faults.filter(message => message.includes('set to discard new messages'))
    await eventually(async () => saying().length > 0)
    await sleep(1200)
    assert.equal(saying().length, 1)
    assert.equal(writer.full, undefined)
    assert.deepEqual((await streams.info(mine.name)).config, config)
    await log.close()
  })

  test('without permission to change a stream, records move where the oldest may be deleted; elsewhere they wait in the spool, and the log states the remedy', async t => {
    const url = await limitedServer(t)
    const streams = await asOperator(t, url.replace('sluice:x@', 'all:x@'))
    await streams.add({ ...mine, discard: DiscardPolicy.New })
    await roundTrip(url, {})
    // Also a stream that this installation created.
    await streams.update(mine.name, { description: 'Log records of the Sluice installation 0123456789ab' })
    await roundTrip(url, { owner: '0123456789ab' })
    await streams.update(mine.name, { discard: DiscardPolicy.Old })
    await roundTrip(url, {})
    const faults: string[] = []
    const log = openForwarding(url, fault => faults.push(fault.message), refusing)
    const writer = await log.writer('w')
    writer.append('"waits"')
    const remedy =
      /SLUICE_RECORDS_1 cannot be set to discard new messages .*allow the user \$JS\.API\.STREAM\.UPDATE/
    await eventually(async () => faults.some(message => remedy.test(message)))
    await streams.update(mine.name, { discard: DiscardPolicy.New })
    await writer.flush()
    await log.close()
  })

  /** Its user `sluice` may change no stream; `all` may do everything. */
  async function limitedServer(t: TestContext): Promise<string> {
    const denied = '{ publish: { deny: ["$JS.API.STREAM.UPDATE.>"] } }'
    const users = `{ user: all, password: x }, { user: sluice, password: x, permissions: ${denied} }`
    return `nats://sluice:x@127.0.0.1:${await server(t, `authorization { users: [${users}] }`)}`
  }

  test('a server that is silent does not hold up the end', async t => {
    const port = await server(t, '')
    const silence = (signal: 'SIGSTOP' | 'SIGCONT') => servers.get(port)!.kill(signal)
    const log = openForwarding(`nats://127.0.0.1:${port}`)
    const [writer, reader] = [await log.writer('w'), await log.reader()]
    writer.append('"one"')
    await writer.flush()
    const [partition] = await reader.partitions()
    await reader.read(partition!, 0, { records: 1, bytes: 1 })
    silence('SIGSTOP')
    // Its client would wait a minute, and then end the process.
    const ended = log.close().then(() => 'ended')
    assert.equal(await Promise.race([ended, sleep(30_000, 'waits', { ref: false })]), 'ended')
    silence('SIGCONT')
  })

  const servers = new Map<number, ChildProcess>()

  async function server(t: TestContext, config: string, storage = ''): Promise<number> {
    const port = await freePort()
    const path = file(`${port}.conf`)
    writeFileSync(
      path,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${file(`store-${port}`)}"${storage} }\n${config}\n`,
    )
    const process = spawn('nats-server', ['-c', path], { stdio: ['ignore', 'ignore', 'pipe'] })
    servers.set(port, process)
    let output = ''
    process.stderr.on('data', chunk => {
      output += chunk
    })
    t.after(async () => {
      process.kill('SIGKILL')
      if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
    })
    while (!output.includes('Server is ready')) {
      assert.equal(process.exitCode, null, output)
      await sleep(20)
    }
    return port
  }
})

function jwt(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub: subject.getPublicKey(),
    nats,
  }
  const signed = `${text({ typ: 'JWT', alg: 'ed25519-nkey' })}.${text(claims)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await holds()); waitedMs += 100) {
    assert.ok(waitedMs < 15_000, 'it never held')
    await sleep(100)
  }
}
