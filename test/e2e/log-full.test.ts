import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { frontSettings, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { startOrigin } from '../support/origin.ts'
import { s3Credentials, startS3 } from '../support/s3-server.ts'
import { hasNats, startNats } from '../support/servers.ts'
import { type ApiAnswer, api, discard, type Instance, startSluice } from '../support/sluice.ts'

/**
 * `SLUICE_SPOOL_FULL=refuse-requests`: a destination that is away costs requests, and no line of one that was answered.
 * Requests come through every front (`test/support/fronts.ts`).
 */
const host = 'full.test'
/** In the path of each request, so that few of them fill the log. */
const padding = 'a'.repeat(3000)

for (const log of ['spool', 'nats'] as const)
  test(`${log}: at the quota requests are refused until delivery goes on, and every answered one is delivered once`, {
    skip: log === 'nats' && !hasNats && 'no nats-server on the path',
  }, async t => {
    const nats = log === 'nats' ? await startNats() : undefined
    t.after(() => nats?.close())
    let seen: number[] = []
    const origin = await startOrigin(async path => void seen.push(numberOf(path)))
    t.after(() => origin.close())
    const s3 = await startS3(['logs'])
    t.after(() => s3.close())
    const settings = await frontSettings()
    const sluice = await startSluice({
      settings: {
        ...settings,
        SLUICE_CRS: await miniCrs(),
        SLUICE_WORKERS: '2',
        SLUICE_SPOOL_BYTES: log === 'nats' ? '2MiB' : '1MiB',
        SLUICE_SPOOL_FULL: 'refuse-requests',
        SLUICE_HEALTH_LISTEN: '127.0.0.1:0',
        ...(nats === undefined ? {} : { SLUICE_NATS_URL: nats.url, SLUICE_NATS_PARTITIONS: '1' }),
      },
    })
    t.after(() => discard(sluice))
    const [account] = (await api(sluice, 'GET', '/accounts')).result
    const zone = { name: host, account: { id: account.id }, origin: { url: origin.url } }
    const { result } = await done(api(sluice, 'POST', '/zones', zone))
    const fronts = await startFronts(sluice, settings, { host, origin: origin.url })
    t.after(() => fronts.close())
    // The fronts do not know where the log is.
    const used = log === 'spool' ? fronts.all : fronts.all.slice(0, 1)
    await inForce(sluice)
    let answered: number[] = []
    let sent = 0
    const visit = async () => {
      const number = ++sent
      const { name, send } = used[number % used.length]!
      const answer = await send(`/${number}/${padding}`)
      if (answer.status === 200) answered.push(number)
      else assert.equal(answer.status, 503, name)
      return answer
    }
    const ready = async () => {
      const answer = await fetch(`${sluice.healthUrl}/readyz`)
      return { status: answer.status, body: await answer.text() }
    }

    // Without a job no record is awaited, and no request is refused.
    for (let n = 0; n < (log === 'nats' ? 1500 : 500); n++) {
      assert.equal((await visit()).status, 200)
      // Otherwise most of them wait in memory, because space is freed twice a second, and fill the log once the job exists.
      if (log === 'nats') await sleep(3)
    }
    // Until the edges know the job, the oldest records are deleted. A spool that is still behind would replace all of them.
    if (log === 'nats') await eventually(async () => assert.deepEqual(await spooled(sluice), []))
    const before = sent
    seen = []
    answered = []

    const jobs = `/zones/${result.id}/logpush/jobs`
    const { accessKeyId, secretAccessKey } = s3Credentials
    const job = await done(
      api(sluice, 'POST', jobs, {
        destination_conf: `s3://logs/lines?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`,
        logpull_options: 'fields=ClientRequestPath',
        enabled: true,
      }),
    )
    s3.outage = true
    await inForce(sluice)
    // Until no worker finds any more that is delivered and can go.
    for (let refused = 0; refused < 100; ) {
      const answer = await visit()
      if (answer.status === 200) refused = 0
      else {
        refused++
        assert.match(answer.headers['retry-after']!, /^\d+$/)
        await sleep(30)
      }
      assert.ok(sent < 10_000, 'the quota is long used up')
      if (log === 'nats') await sleep(3)
    }
    assert.ok(answered.length > 50, `${answered.length} requests filled it`)
    assert.deepEqual(seen, answered, 'refused requests do not reach the origin')
    const { status, body } = await ready()
    assert.equal(status, 503)
    assert.match(body, /fix or disable that job/)
    const own = await fetch(`${sluice.apiUrl.replace('/client/v4', '')}/readyz`)
    assert.equal(own.status, 200)
    assert.match(await own.text(), /the edge refuses requests/)
    const health = await done(api(sluice, 'GET', `${jobs}/${job.result.id}/health`))
    assert.deepEqual(
      health.result.faults.map(({ code }: { code: string }) => code),
      ['log_full'],
      `${JSON.stringify(health.result.faults)}\n${sluice.output().slice(-4000)}`,
    )
    const metrics = await (await fetch(`${sluice.healthUrl}/metrics`)).text()
    assert.match(metrics, /^sluice_edge_overloads_total\{limit="record_log"\} [1-9]/m)
    assert.match(sluice.output(), /requests are refused with 503: /)

    s3.outage = false
    // A write of the job ends its wait for the next attempt. Its first delivery may free space for a few requests only.
    await done(api(sluice, 'PUT', `${jobs}/${job.result.id}`, { enabled: true }))
    await eventually(async () => assert.equal((await ready()).status, 200))
    for (const want = answered.length + 30; answered.length < want; )
      if ((await visit()).status === 503) await sleep(200)
    assert.match(sluice.output(), /the record log has capacity again/)
    assert.deepEqual(seen, answered)
    // The end does not wait for records that wait in the spool because the stream was full.
    if (log === 'nats') await eventually(async () => assert.deepEqual(await spooled(sluice), []))
    assert.equal(await sluice.stop(), 0)
    const lines = await s3.lines('logs')
    const delivered = lines.map(line => numberOf(String(line['ClientRequestPath'])))
    assert.deepEqual(
      // The last record of the first part can have arrived in the millisecond in which the job began.
      delivered.filter(number => number > before).sort((a, b) => a - b),
      answered,
    )
  })

/** Metrics of edges whose spools have records that NATS does not have yet. */
async function spooled(sluice: Instance): Promise<readonly string[]> {
  const text = await (await fetch(`${sluice.healthUrl}/metrics`)).text()
  return text.match(/^sluice_records_undelivered\{partition="edge-[^}]*\} [1-9].*$/gm) ?? []
}

async function done(answer: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const known = await answer
  assert.equal(known.status, 200, JSON.stringify(known.errors))
  return known
}

function numberOf(path: string): number {
  return Number(path.split('/')[1])
}
