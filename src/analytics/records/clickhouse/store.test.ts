import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ClickHouseClient } from '@clickhouse/client'
import { madeCertificate } from '../../../kit/testing/certificates.ts'
import { Keeper } from '../../ingest/keeper.ts'
import { querySuite } from '../../queries/testing/suite.ts'
import { searchSuite } from '../../search/testing/suite.ts'
import { sqlSuite } from '../../sql/testing/suite.ts'
import { eventRecord, requestRecord } from '../../testing/fill.ts'
import { idBase, sequencesOfPartition } from '../decode.ts'
import type { RecordStore } from '../port.ts'
import { sql } from '../sql.ts'
import { type ClickHouseUnderTest, noClickHouse, startClickHouse } from '../testing/clickhouse-server.ts'
import { batchOf, keptMs, recordStoreSuite } from '../testing/suite.ts'
import type { ClickHouseServer } from './connect.ts'
import { clickHouseState } from './state.ts'
import { openClickHouseStore } from './store.ts'

let server: ClickHouseUnderTest | undefined
before(async () => {
  if (noClickHouse === false) server = await startClickHouse()
})
after(() => server?.close())

const openAt = (at: ClickHouseServer, mayReplace = false) => openClickHouseStore(at, keptMs, () => mayReplace)
const open = (database: string, mayReplace?: boolean) =>
  openAt({ url: `${server!.url}/${database}` }, mayReplace)

describe('records in ClickHouse', { skip: noClickHouse }, () => {
  recordStoreSuite({ open })

  const atMs = Date.UTC(2026, 0, 2, 10)
  const dayMs = 24 * 3_600_000
  /** Requests of two days, and events. */
  const records = Array.from({ length: 30 }, (_, n) => {
    const at = atMs + (n % 2) * dayMs + n
    return n % 3 === 0 ? eventRecord(at) : requestRecord(at)
  })

  async function namesIn(client: ClickHouseClient): Promise<string[]> {
    const rows = await client.query({ query: 'show tables', format: 'JSONEachRow' })
    return (await rows.json<{ name: string }>()).map(({ name }) => name)
  }

  /** The table that a statement inserts into. */
  const intoTable = (statement: string) => /^insert into (\w+)/i.exec(statement)?.[1]

  async function assertOnce(store: RecordStore, partition: string, sequence: number): Promise<void> {
    assert.equal((await store.position(partition)).sequence, sequence)
    const base = idBase(partition)
    const own = sql`where id > ${base} and id < ${base + sequencesOfPartition}`
    const [row] = await store.rows<{ n: number; ids: number }>(
      sql`select count(*) as n, count(distinct id) as ids
        from (select id from http_requests ${own} union all select id from firewall_events ${own}) as every`,
    )
    assert.deepEqual(row, { n: sequence, ids: sequence })
  }

  test('a batch is stored once, whichever statement of it fails, and however long the next is', async () => {
    const store = await open('failing')
    const statements = [
      'insert begins',
      'insert into http_requests',
      'insert into firewall_events',
      'insert ends',
    ]
    for (const outcome of ['before', 'after'] as const)
      for (const failing of statements)
        for (const next of failing.includes('into') ? [20, 10, 30] : [30]) {
          const partition = `${failing} ${outcome} ${next}`
          let moves = 0
          server!.fail = statement => {
            const table = intoTable(statement)
            const name =
              table === 'positions' ? ['insert begins', 'insert ends'][moves++] : `insert into ${table}`
            return name === failing ? outcome : undefined
          }
          await assert.rejects(store.append(batchOf(records.slice(0, 20), 0, partition)), {
            name: 'RecordStoreError',
          })
          server!.fail = () => undefined
          const isStored = failing === 'insert ends' && outcome === 'after'
          const appends = () => store.append(batchOf(records.slice(0, next), 0, partition))
          assert.equal(await appends(), !isStored && next >= 20)
          if (next < 20) {
            assert.deepEqual(await store.position(partition), { sequence: 0, missing: 0, begun: 20 })
            assert.equal(await store.append(batchOf(records.slice(0, 20), 0, partition)), true)
          }
          await assertOnce(store, partition, isStored ? 20 : Math.max(next, 20))
        }
    await store.close()
  })

  test('processes that are killed between the rows and the position leave every record once', async () => {
    const script = fileURLToPath(new URL('../testing/append-forever.ts', import.meta.url))
    const store = await open('killed')
    for (const [fatal, outcome] of [
      ['http_requests', 'after'],
      ['positions', 'before'],
    ] as const) {
      const url = `${server!.url}/killed`
      const child = spawn(process.execPath, [script, url], { stdio: ['ignore', 'ignore', 'inherit'] })
      const ended = once(child, 'exit')
      let left = 6
      server!.fail = statement => {
        if (intoTable(statement) !== fatal || --left > 0) return undefined
        child.kill('SIGKILL')
        return outcome
      }
      await ended
      server!.fail = () => undefined
    }
    const { sequence, begun } = await store.position('edge-1.0a')
    const end = Math.max(sequence, begun ?? 0) + 5
    const rest = Array.from({ length: end - sequence }, () => requestRecord(atMs))
    assert.equal(await store.append(batchOf(rest, sequence)), true)
    await assertOnce(store, 'edge-1.0a', end)
    await store.close()
  })

  test('an export that fails at a late row is refused, and is no file that seems complete', async t => {
    const store = await open('late')
    const folder = mkdtempSync(join(tmpdir(), 'sluice-late-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const rows = sql`from (select number as id, throwIf(number = 299999, 'too late') as mitigated from numbers(300000)) as late`
    const path = join(folder, 'rows.parquet')
    const columns = ['id', 'mitigated']
    const exported = store.exportRows({ table: 'http_requests', rows, columns, rowsMax: 1_000_000 }, path)
    await assert.rejects(exported, { name: 'RecordStoreError', message: /too late/ })
    assert.deepEqual(readdirSync(folder), [])
    await store.close()
  })

  test('two processes that append the same log at once store every record once', async () => {
    const stores = await Promise.all([open('both'), open('both')])
    const log = Array.from({ length: 120 }, (_, n) => records[n % records.length]!)
    const appendAll = async (store: RecordStore, length: number): Promise<void> => {
      for (;;) {
        const { sequence, begun = 0 } = await store.position('edge-1.0a')
        if (sequence === log.length) return
        const end = Math.min(log.length, Math.max(sequence + length, begun))
        await store.append(batchOf(log.slice(sequence, end), sequence))
      }
    }
    await Promise.all([appendAll(stores[0], 7), appendAll(stores[1], 10)])
    await assertOnce(stores[0], 'edge-1.0a', log.length)
    for (const store of stores) await store.close()
  })

  test('the server removes rows after the retention, which may change', async () => {
    const now = Date.now()
    const url = `${server!.url}/retention`
    for (const [days, left] of [
      [30, 3],
      [2, 2],
      [10, 2],
    ] as const) {
      const store = await openClickHouseStore({ url }, days * dayMs, () => false)
      if (days === 30)
        await store.append(batchOf([1, 2, 3].map(n => requestRecord(now - n * dayMs + 60_000))))
      const { createClient } = await import('@clickhouse/client')
      const client = createClient({ url })
      await client.command({ query: 'optimize table retention.http_requests final' })
      await client.close()
      assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: left }])
      await store.close()
    }
  })

  test('whole days of the past are dropped', async () => {
    const store = await open('days')
    await store.append(batchOf(records))
    await store.removeBefore(atMs + dayMs)
    assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: 10 }])
    await store.close()
  })

  test('tables of an older version are replaced only by the process that may, which another leaves alone', async () => {
    const store = await open('older')
    await store.append(batchOf(records))
    const { createClient } = await import('@clickhouse/client')
    const client = createClient({ url: `${server!.url}/older` })
    await client.command({ query: 'truncate table tables_version' })
    await client.command({ query: 'insert into tables_version values (-1)' })
    await client.close()
    await assert.rejects(open('older'), { name: 'RecordStoreError', code: 'busy' })
    await assertOnce(store, batchOf(records).partition, records.length)
    await store.close()
    const replaced = await open('older', true)
    assert.equal(await replaced.append(batchOf(records)), true)
    const another = await open('older')
    await assertOnce(another, batchOf(records).partition, records.length)
    await another.close()
    await replaced.close()
  })

  test('a process that is suspended while it replaces tables leaves those of the next process alone', async () => {
    await (await open('fenced')).close()
    const { createClient } = await import('@clickhouse/client')
    const client = createClient({ url: `${server!.url}/fenced` })
    await client.command({ query: 'truncate table tables_version' })
    await client.command({ query: 'insert into tables_version values (-1)' })
    // The rest of an earlier replacement.
    await client.command({ query: 'create table "positions_v-2" order by n as select 1 as n' })
    for (const table of ['http_requests', 'firewall_events', 'positions']) {
      await client.command({ query: 'truncate table tables_version' })
      await client.command({ query: 'insert into tables_version values (-1)' })
      const names = await namesIn(client)
      for (const name of names)
        if (name.endsWith('_v-1')) await client.command({ query: `drop table "${name}" sync` })
      const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      server!.hold = statement => {
        if (!statement.startsWith(`rename table ${table} `)) return undefined
        server!.hold = () => undefined
        reached.resolve()
        return resumed.promise
      }
      const suspended = open('fenced', true)
      await reached.promise
      const next = await open('fenced', true)
      assert.equal(await next.append(batchOf(records)), true)
      resumed.resolve()
      await assertOnce(await suspended, batchOf(records).partition, records.length)
      await assertOnce(next, batchOf(records).partition, records.length)
      await Promise.all([next.close(), (await suspended).close()])
    }
    const rests = (await namesIn(client)).filter(name => name.includes('_v-'))
    assert.deepEqual(rests.sort(), [
      'firewall_events_v-1',
      'http_requests_v-1',
      'positions_v-1',
      'what_if_samples_v-1',
    ])
    for (const rest of rests) {
      const rows = await client.query({ query: `select count(*) as n from "${rest}"`, format: 'JSONEachRow' })
      assert.deepEqual(await rows.json(), [{ n: 0 }], rest)
    }
    await client.close()
  })

  test('the space limit removes as many rows as it takes, and does not count tables of others', async () => {
    const store = await open('full')
    const log = Array.from({ length: 5000 }, (_, n) => requestRecord(atMs + n * 4000))
    await store.append(batchOf(log))
    const { createClient } = await import('@clickhouse/client')
    const client = createClient({ url: `${server!.url}/full` })
    const used = await store.usedBytes()
    await client.command({
      query: 'create table other order by n as select number as n from numbers(1000000)',
    })
    await client.close()
    assert.equal(await store.usedBytes(), used)
    const keeper = new Keeper(store, { ageMs: keptMs, bytes: used * 0.9 })
    for (let round = 0; round < 20; round++) await keeper.run(round, true)
    const [left] = await store.rows<{ n: number }>(sql`select count(*) as n from http_requests`)
    assert.ok(left!.n > 2500 && left!.n < 5000, `${left!.n} rows`)
    assert.ok((await store.usedBytes()) <= used * 0.9)
    await store.close()
  })

  test('tables of a later version are refused', async () => {
    await (await open('later')).close()
    const { createClient } = await import('@clickhouse/client')
    const client = createClient({ url: `${server!.url}/later` })
    await client.command({ query: 'insert into tables_version values (99)' })
    await client.close()
    await assert.rejects(open('later'), { name: 'RecordStoreError', code: 'newer' })
  })

  test('an administrator learns how much a database has, also when it does not exist', async () => {
    const [full, none] = await Promise.all(
      ['failing', 'nothing'].map(database => clickHouseState({ url: `${server!.url}/${database}` })),
    )
    assert.ok(full!.bytes > 0)
    assert.deepEqual([none!.database, none!.bytes], ['nothing', 0])
  })

  test('TLS with a private authority; without it the server is not trusted', async t => {
    const { certificate: cert, key } = await madeCertificate(['localhost'])
    const front = createHttpsServer({ cert, key }, (request, response) => {
      const { method, headers } = request
      const forwarded = httpRequest(new URL(request.url!, server!.url), { method, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(forwarded)
    })
    await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
    t.after(() => front.close())
    const url = new URL(`${server!.url}/private`)
    const { port } = front.address() as AddressInfo
    const secure = `https://${url.username}:${url.password}@localhost:${port}/private`
    await assert.rejects(openAt({ url: secure }), /self-signed certificate/)
    const store = await openAt({ url: secure, ca: Buffer.from(cert) })
    assert.equal(await store.append(batchOf(records)), true)
    await store.close()
  })

  test('a wrong password is said, and never shown', async () => {
    const url = server!.url.replace('p%40ss', 'wrong')
    await assert.rejects(openAt({ url }), ({ message }: Error) => {
      assert.match(message, /^ClickHouse: Authentication failed/)
      assert.doesNotMatch(message, /wrong|word/)
      return true
    })
  })
})

describe('queries to ClickHouse', () => {
  querySuite(() => open('queries'))
})

describe('search in ClickHouse', () => {
  searchSuite(() => open('search'))
})

describe('SQL over ClickHouse', () => {
  sqlSuite(() => open('sql'))
})
