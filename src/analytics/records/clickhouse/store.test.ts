import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { questionSuite } from '../../questions/testing/suite.ts'
import { searchSuite } from '../../search/testing/suite.ts'
import { eventRecord, requestRecord } from '../../testing/fill.ts'
import { idBase, sequencesMax } from '../decode.ts'
import type { RecordStore } from '../port.ts'
import { sql } from '../sql.ts'
import { type ClickHouseUnderTest, noClickHouse, startClickHouse } from '../testing/clickhouse-server.ts'
import { batchOf, recordStoreSuite } from '../testing/suite.ts'
import { openClickHouseStore } from './store.ts'

let server: ClickHouseUnderTest | undefined
before(async () => {
  if (noClickHouse === false) server = await startClickHouse()
})
after(() => server?.close())

const open = (database: string) => openClickHouseStore({ url: `${server!.url}/${database}` })

describe('records in ClickHouse', { skip: noClickHouse }, () => {
  recordStoreSuite({ open })

  const atMs = Date.UTC(2026, 0, 2, 10)
  const dayMs = 24 * 3_600_000
  /** Requests of two days, and events. */
  const records = Array.from({ length: 30 }, (_, n) => {
    const at = atMs + (n % 2) * dayMs + n
    return n % 3 === 0 ? eventRecord(at) : requestRecord(at)
  })

  async function assertOnce(store: RecordStore, partition: string, sequence: number): Promise<void> {
    assert.equal((await store.position(partition)).sequence, sequence)
    const base = idBase(partition)
    const own = sql`where id > ${base} and id < ${base + sequencesMax}`
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
            const [inserted] = /^insert into \w+/i.exec(statement) ?? []
            const isMove = inserted?.endsWith('positions') === true
            const name = isMove ? ['insert begins', 'insert ends'][moves++] : inserted
            return name === failing ? outcome : undefined
          }
          await assert.rejects(store.append(batchOf(records.slice(0, 20), 0, partition)), {
            name: 'RecordStoreError',
          })
          server!.fail = () => undefined
          const isStored = failing === 'insert ends' && outcome === 'after'
          assert.equal(await store.append(batchOf(records.slice(0, next), 0, partition)), !isStored)
          await assertOnce(store, partition, isStored ? 20 : next)
        }
    await store.close()
  })

  test('whole days of the past are dropped', async () => {
    const store = await open('days')
    await store.append(batchOf(records))
    await store.removeBefore(atMs + dayMs)
    assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: 10 }])
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

  test('a wrong password is said, and never shown', async () => {
    const url = server!.url.replace('p%40ss', 'wrong')
    await assert.rejects(openClickHouseStore({ url }), ({ message }: Error) => {
      assert.match(message, /^ClickHouse: Authentication failed/)
      assert.doesNotMatch(message, /wrong|word/)
      return true
    })
  })
})

describe('questions to ClickHouse', () => {
  questionSuite(() => open('questions'))
})

describe('search in ClickHouse', () => {
  searchSuite(() => open('search'))
})
