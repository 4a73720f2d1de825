import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { startOrigin } from '../support/origin.ts'
import { startPostgres } from '../support/servers.ts'
import { api, discard, startSluice } from '../support/sluice.ts'

/** Probes and scrapers at processes without an API. */

async function ask(base: string, path: string, method = 'GET'): Promise<[status: number, body: string]> {
  const answer = await fetch(`${base}${path}`, { method })
  return [answer.status, await answer.text()]
}

test('each process answers probes at its own address; an edge is ready while it can serve', async t => {
  const postgres = await startPostgres()
  t.after(() => postgres.close())
  const start = async (role: string) => {
    const instance = await startSluice({
      settings: {
        SLUICE_ROLES: role,
        SLUICE_DATABASE_URL: postgres.url,
        SLUICE_SECRET_KEY: '5a'.repeat(32),
        SLUICE_HEALTH_LISTEN: '127.0.0.1:0',
        ...(role === 'control' ? { SLUICE_CRS: await miniCrs() } : {}),
      },
    })
    t.after(() => discard(instance))
    return instance
  }
  const control = await start('control')
  const edge = await start('edge')
  const delivery = await start('delivery')
  for (const { healthUrl } of [control, edge, delivery]) {
    assert.deepEqual(await ask(healthUrl, '/healthz'), [
      200,
      '{"result":{"status":"alive"},"success":true,"errors":[],"messages":[]}',
    ])
    assert.equal((await ask(healthUrl, '/readyz'))[0], 200)
    assert.match((await ask(healthUrl, '/metrics'))[1], /^# HELP /)
    assert.equal((await ask(healthUrl, '/'))[0], 404)
    assert.equal((await ask(healthUrl, '/healthz', 'POST'))[0], 405)
  }
  assert.match((await ask(edge.healthUrl, '/metrics'))[1], /^sluice_edge_requests_total \d+$/m)
  // The addresses for visitors reveal nothing.
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assert.doesNotMatch((await ask(edge.edgeUrl, path))[1], /sluice_|"alive"|"ready"/)

  await postgres.stop()
  assert.equal((await ask(edge.healthUrl, '/readyz'))[0], 200)
  for (const { healthUrl } of [control, delivery]) {
    assert.equal((await ask(healthUrl, '/readyz'))[0], 503)
    assert.equal((await ask(healthUrl, '/healthz'))[0], 200)
  }
  await postgres.start()
})

test('a spool that is lost counts as a reset in the metrics and in the health of the job', async t => {
  const origin = await startOrigin()
  t.after(() => origin.close())
  const out = await mkdtemp(join(tmpdir(), 'sluice-reset-'))
  t.after(() => rm(out, { recursive: true }))
  const settings = {
    SLUICE_CRS: await miniCrs(),
    SLUICE_DESTINATION_DIRECTORY: out,
    SLUICE_HEALTH_LISTEN: '127.0.0.1:0',
  }
  const first = await startSluice({ settings })
  t.after(() => first.stop())
  const [account] = (await api(first, 'GET', '/accounts')).result
  const zone = await api(first, 'POST', '/zones', {
    name: 'reset.test',
    account: { id: account.id },
    origin: { url: origin.url },
  })
  const jobs = `/zones/${zone.result.id}/logpush/jobs`
  const job = await api(first, 'POST', jobs, { destination_conf: 'file:./lines', enabled: true })
  assert.equal(job.success, true, JSON.stringify(job))
  await inForce(first)
  await origin.through(first.edgePort, 'reset.test', '/before')
  // The last records are delivered before it ends.
  await first.stop()
  await rm(join(first.data, 'spool'), { recursive: true })

  const second = await startSluice({ data: first.data, settings })
  t.after(() => discard(second))
  await origin.through(second.edgePort, 'reset.test', '/after')
  await eventually(async () => {
    const { totals } = (await api(second, 'GET', `${jobs}/${job.result.id}/health`)).result
    assert.equal(totals.reset.uploads, 1)
  })
  const [, metrics] = await ask(second.healthUrl, '/metrics')
  assert.match(metrics, /^sluice_logpush_log_resets_total(\{[^}]*\})? 1$/m)
})
