import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createChangeFeed } from '../src/bus/index.ts'
import { openPostgresStore, type Store } from '../src/store/index.ts'
import { anAccount, aZone, testCipher } from '../src/store/testing/data.ts'
import { startPostgres } from '../test/support/servers.ts'
import { machineLine } from './support/machine.ts'
import { formatTable } from './support/table.ts'

/**
 * Many edges on one PostgreSQL: how soon each has read the documents of a changed zone, and what they cost while nothing
 * changes. An edge is a separate store with its connections and its feed; a few processes hold them all.
 * Usage: npm run bench:changes -- [number of edges, 100 by default]
 */
const [first = '100', url, here] = process.argv.slice(2)
const processes = 4
const connections = 5
const changesMeasured = 40
const pauseMs = 250
/** The server counts the transactions of a connection up to ten seconds later. */
const settleMs = 12_000
const idleMs = 15_000

/** From an edge: it is ready, or has read the zone after its n-th change. */
type FromEdges = 'ready' | { readonly change: number; readonly atMs: number }

if (url === undefined) await main(Number(first))
else await holdEdges(url, Number(here))

async function main(edges: number): Promise<void> {
  const postgres = await startPostgres(['-c', `max_connections=${edges * connections + 20}`])
  const children: ReturnType<typeof fork>[] = []
  try {
    console.log(`${machineLine()}; ${edges} edges in ${processes} processes`)
    const store = await openPostgresStore(postgres.url, { migrate: true, cipher: testCipher, connections })
    const account = anAccount()
    await store.accounts.insert(account)
    const zone = aZone(account.id)
    await store.zones.insert(zone)
    const seen = new Map<number, number[]>()
    for (let n = 0; n < processes; n++) {
      const share = Math.floor(edges / processes) + (n < edges % processes ? 1 : 0)
      const child = fork(import.meta.filename, [first, postgres.url, String(share)])
      children.push(child)
      child.on('message', (message: FromEdges) => {
        if (message !== 'ready') seen.set(message.change, [...(seen.get(message.change) ?? []), message.atMs])
      })
    }
    await Promise.all(children.map(child => once(child, 'message')))
    await sleep(settleMs)
    await measureIdle(postgres.url)
    await measureChanges(store, zone.id, edges, seen)
    await store.close()
  } finally {
    for (const child of children) child.kill()
    await postgres.close()
  }
}

async function measureIdle(of: string): Promise<void> {
  const client = new pg.Client(of)
  await client.connect()
  const read = async () => {
    const { rows } = await client.query(
      `select xact_commit::int as commits, (select count(*)::int from pg_stat_activity
        where application_name = 'sluice') as connections from pg_stat_database where datname = 'sluice'`,
    )
    return rows[0] as { readonly commits: number; readonly connections: number }
  }
  const before = await read()
  await sleep(idleMs)
  const after = await read()
  const perSecond = ((after.commits - before.commits) * 1000) / idleMs
  console.log(`idle      ${after.connections} connections, ${perSecond.toFixed(1)} transactions a second`)
  await client.end()
}

async function measureChanges(
  store: Store,
  zoneId: string,
  edges: number,
  seen: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const each: number[] = []
  const all: number[] = []
  for (let change = 1; change <= changesMeasured; change++) {
    const zone = (await store.zones.get(zoneId))!
    await store.zones.update({ ...zone, originUrl: `http://127.0.0.1:${change}` })
    const beganMs = Date.now()
    while ((seen.get(change)?.length ?? 0) < edges) await sleep(5)
    const delays = seen.get(change)!.map(atMs => Math.max(0, atMs - beganMs))
    each.push(...delays)
    all.push(Math.max(...delays))
    await sleep(pauseMs)
  }
  const row = (name: string, values: number[]) => {
    values.sort((a, b) => a - b)
    const at = (share: number) => String(values[Math.ceil(values.length * share) - 1])
    return [name, at(0.5), at(0.99), at(1)]
  }
  console.log(
    formatTable(['ms after the commit', 'p50', 'p99', 'max'], [row('one edge', each), row('all edges', all)]),
  )
}

async function holdEdges(of: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => runEdge(of)))
  process.send!('ready' satisfies FromEdges)
}

async function runEdge(of: string): Promise<void> {
  const store = await openPostgresStore(of, { migrate: false, cipher: testCipher, connections })
  const feed = await createChangeFeed(store.changes, error => console.error(error))
  feed.subscribe(async change => {
    if (change.kind !== 'zone') return
    const zone = await store.zones.get(change.id)
    await store.plans.documents([change.id])
    const message: FromEdges = { change: Number(new URL(zone!.originUrl!).port), atMs: Date.now() }
    process.send!(message)
  })
}
