import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSilentServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Change } from '../bus/port.ts'
import type { Monitor, OriginHealth, Pool } from '../model/load-balancing.ts'
import type { MonitoredPool } from '../store/port/load-balancing.ts'
import { aMonitor, aPool } from '../store/testing/data.ts'
import { startHealthChecks } from './checker.ts'

interface Site {
  status: number
  /** Runs before each answer. */
  onRequest: () => void
  readonly port: number
  /** Resolves at the next check. */
  asked(): Promise<void>
}

async function startSite(t: TestContext): Promise<Site> {
  let next = Promise.withResolvers<void>()
  const site = { status: 200, onRequest: () => {}, port: 0, asked: () => next.promise }
  const server = createServer(async (_request, response) => {
    site.onRequest()
    // So that the checker has read the pools again.
    await new Promise(resolve => setImmediate(resolve))
    response.writeHead(site.status).end()
    response.once('close', () => {
      next.resolve()
      next = Promise.withResolvers()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  site.port = (server.address() as AddressInfo).port
  return site
}

/** Runs checks with seconds of a few milliseconds over these pools, until the test ends. */
async function start(t: TestContext, monitored: MonitoredPool[]) {
  const told: string[] = []
  const reports: (readonly OriginHealth[])[][] = []
  let changed: (change: Change) => void = () => {}
  let waiting: { readonly until: () => boolean; readonly resolve: () => void } | undefined
  const look = () => {
    if (waiting?.until() === true) waiting.resolve()
  }
  const checks = await startHealthChecks({
    store: {
      // Each reading of a store has new objects.
      monitored: async () => structuredClone(monitored),
      reportHealth: async (_machine, pools) => {
        reports.push([...pools.values()])
        look()
      },
    },
    changes: {
      subscribe: onChange => {
        changed = onChange
        return () => {}
      },
    },
    policy: { reach: 'loopback', setting: 'SLUICE_ORIGINS' },
    machine: 'this',
    onChange: ({ healthy, reason }) => told.push(healthy ? 'up' : `down: ${reason}`),
    onCheck: () => look(),
    onDown: keys => {
      told.push(`keys: ${keys.map(key => key.split(' ')[0])}`)
      look()
    },
    onError: (_message, error) => assert.fail(String(error)),
    secondMs: 1,
  })
  t.after(() => checks.close())
  return {
    checks,
    told,
    reports,
    change: (kind: 'load_balancing' | 'zone' = 'load_balancing') =>
      changed({ sequence: 1, kind, id: '', mark: '' }),
    until: (condition: () => boolean) =>
      new Promise<void>(resolve => {
        waiting = { until: condition, resolve }
        look()
      }),
  }
}

function pooled(port: number, monitor: Partial<Monitor> = {}, id = 'p'): MonitoredPool {
  const origin = { name: 'a', address: '127.0.0.1', enabled: true, weight: 1, port, unused: {} }
  const pool: Pool = aPool('', { id, origins: [origin] })
  return { pool, monitor: aMonitor('', { intervalSeconds: 5, retries: 0, ...monitor }) }
}

test('an origin that fails its checks is told as down with the reason, and up again', async t => {
  const site = await startSite(t)
  const { told, reports, until } = await start(t, [pooled(site.port)])
  await until(() => told.includes('up'))
  site.status = 503
  await until(() => told.includes('keys: p'))
  await until(() => reports.at(-1)?.[0]?.[0]?.healthy === false)
  const [health] = reports.at(-1)![0]!
  assert.deepEqual(
    { ...health, rttMs: 0 },
    {
      address: '127.0.0.1',
      port: site.port,
      healthy: false,
      failureReason: 'it answers with status 503, and 200 is expected',
      responseCode: 503,
      rttMs: 0,
    },
  )
  site.status = 200
  await until(() => told.at(-1) === 'keys: ')
  assert.deepEqual(told, [
    'up',
    'down: it answers with status 503, and 200 is expected',
    'keys: p',
    'up',
    'keys: ',
  ])
})

test('the state changes after as many checks in a row as the monitor says', async t => {
  const site = await startSite(t)
  const { told, until } = await start(t, [pooled(site.port, { consecutiveDown: 3, consecutiveUp: 2 })])
  await until(() => told.includes('up'))
  for (const status of [503, 503, 200]) {
    site.status = status
    await site.asked()
  }
  for (let n = 0; n < 3; n++) await site.asked()
  assert.deepEqual(told, ['up'])
  site.status = 503
  await until(() => told.includes('keys: p'))
})

test('a changed pool is checked at once, and a removed one is forgotten', async t => {
  const site = await startSite(t)
  site.status = 500
  const pools = [pooled(site.port)]
  const { told, checks, change, reports, until } = await start(t, pools)
  await until(() => told.includes('keys: p'))
  pools.push(pooled(site.port, { intervalSeconds: 3600 }, 'q'))
  change()
  await until(() => told.includes('keys: p,q'))
  pools.shift()
  change('zone')
  await until(() => told.at(-1) === 'keys: q')
  assert.equal(checks.origins().length, 1)
  await checks.close()
  assert.deepEqual(reports.at(-1), [])
})

test('a disabled origin is checked until its sessions are drained', async t => {
  const site = await startSite(t)
  site.status = 500
  const enabled = pooled(site.port)
  const [origin] = enabled.pool.origins
  const disabled = (secondsAgo: number) => {
    const disabledAt = new Date(Date.now() - secondsAgo * 1000).toISOString()
    const origins = [{ ...origin!, enabled: false, disabledAt }]
    return { ...enabled, pool: { ...enabled.pool, origins }, drainSeconds: 60 }
  }
  const pools: MonitoredPool[] = [enabled]
  const { told, checks, change, until } = await start(t, pools)
  await until(() => told.includes('keys: p'))
  pools[0] = disabled(0)
  change()
  for (let n = 0; n < 3; n++) await site.asked()
  assert.equal(told.at(-1), 'keys: p')
  pools[0] = disabled(59.8)
  change()
  await until(() => told.at(-1) === 'keys: ')
  assert.equal(checks.origins().length, 0)
})

test('a change elsewhere during a check leaves the checks going on', async t => {
  const site = await startSite(t)
  const { change } = await start(t, [pooled(site.port)])
  site.onRequest = change
  for (let n = 0; n < 3; n++) await site.asked()
})

test('origins of an account that never answer do not delay the checks of another account', async t => {
  let ended = 0
  const silent = createSilentServer(socket =>
    socket
      .once('close', () => ended++)
      .on('error', () => {})
      .resume(),
  )
  await new Promise<void>(resolve => silent.listen(0, '0.0.0.0', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const site = await startSite(t)
  const hole = pooled(port, { timeoutSeconds: 10, retries: 5 }, 'hole')
  const [origin] = hole.pool.origins
  const origins = Array.from({ length: 40 }, (_, at) => ({ ...origin!, address: `127.0.0.${at + 1}` }))
  const other = pooled(site.port)
  const { told, until } = await start(t, [
    { ...hole, pool: { ...hole.pool, accountId: 'a', origins } },
    { ...other, pool: { ...other.pool, accountId: 'b' } },
  ])
  await until(() => told.includes('up'))
  await site.asked()
  await site.asked()
  assert.equal(ended, 0)
})
