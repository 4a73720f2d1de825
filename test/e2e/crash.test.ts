import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inForce } from '../support/in-force.ts'
import { readLogFiles } from '../support/log-files.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { type ApiAnswer, api, type Instance, startSluice } from '../support/sluice.ts'

/** The whole process group dies again and again under load: no line is lost, none comes twice, no rule changes. */
const kills = 3
const clients = 4

let directory: string
let sluice: Instance
let origin: Origin
let s3: S3Server
let zonePath: string
const held = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-crash-'))
  origin = await startOrigin(async path => {
    if (path !== '/held') return
    held.arrived.resolve()
    await held.released.promise
  })
  s3 = await startS3(['logs'])
  sluice = await start()
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = { name: 'crash.test', account: { id: account.id }, origin: { url: origin.url } }
  zonePath = `/zones/${(await done(api(sluice, 'POST', '/zones', zone))).result.id}`
  await done(
    api(sluice, 'PUT', `${zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/blocked"' }],
    }),
  )
  const { accessKeyId, secretAccessKey } = s3Credentials
  for (const destination_conf of [
    `s3://logs/lines?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`,
    `file://${join(directory, 'lines')}`,
  ])
    await done(
      api(sluice, 'POST', `${zonePath}/logpush/jobs`, {
        destination_conf,
        logpull_options: 'fields=ClientRequestPath,EdgeResponseStatus',
        enabled: true,
      }),
    )
  await inForce(sluice)
})

after(async () => {
  await sluice.kill()
  await s3.close()
  await origin.close()
  await rm(directory, { recursive: true, force: true })
})

test('every answered request has one line, through kills, outages and a drain', async t => {
  const state = await apiState()
  const answered = new Set<string>()
  const traffic = startTraffic(answered)

  for (let kill = 1; kill <= kills; kill++) {
    await sleep(600 + Math.random() * 600)
    s3.outage = kill === 2
    if (s3.outage) await sleep(1000)
    // In the middle of the traffic: who has an answer has a line, however late it came.
    await sluice.kill()
    traffic.pause()
    sluice = await start()
    assert.deepEqual(await apiState(), state, `after kill ${kill}`)
    assert.equal((await origin.through(sluice.edgePort, 'crash.test', '/blocked')).status, 403)
    traffic.resume()
  }
  await sleep(1000)
  s3.outage = false

  const inFlight = origin.through(sluice.edgePort, 'crash.test', '/held')
  await held.arrived.promise
  traffic.pause()
  const stopped = sluice.stop()
  await sleep(300)
  held.released.resolve()
  const answer = await inFlight
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), 'GET /held')
  answered.add('/held')
  assert.equal(await stopped, 0, sluice.output())

  // The next process delivers the records that the last requests left in the spool.
  sluice = await start()
  await traffic.stop()
  assert.equal(await sluice.stop(), 0, sluice.output())

  for (const [destination, lines] of [
    ['S3', (await s3.lines('logs')).map(pathOf)],
    ['files', (await readLogFiles(join(directory, 'lines'))).map(pathOf)],
  ] as const) {
    const delivered = new Set(lines)
    const twice = lines.filter((path, index) => path !== '/blocked' && lines.indexOf(path) !== index)
    assert.deepEqual(twice, [], `lines that came twice to ${destination}`)
    const missing = [...answered].filter(path => !delivered.has(path))
    assert.deepEqual(missing, [], `answers without a line at ${destination}`)
    assert.equal(lines.filter(path => path === '/blocked').length, kills)
    t.diagnostic(`${destination}: ${answered.size} answers, ${lines.length} lines, ${kills} kills`)
  }
})

interface Traffic {
  /** New requests wait; those under way are not touched. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** Clients that send requests with distinct paths; notes the answered ones. */
function startTraffic(answered: Set<string>): Traffic {
  let sent = 0
  let ended = false
  let barrier = Promise.withResolvers<void>()
  barrier.resolve()
  const client = async () => {
    while (!ended) {
      await barrier.promise
      const path = `/request/${++sent}`
      try {
        const answer = await origin.through(sluice.edgePort, 'crash.test', path)
        await answer.text()
        assert.equal(answer.status, 200)
        answered.add(path)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        await sleep(20)
      }
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    pause: () => {
      barrier = Promise.withResolvers()
    },
    resume: () => barrier.resolve(),
    async stop() {
      ended = true
      barrier.resolve()
      await running
    },
  }
}

async function start(): Promise<Instance> {
  return startSluice({ data: directory, settings: { SLUICE_CRS: await miniCrs(), SLUICE_WORKERS: '2' } })
}

/** The configuration as the API shows it, without the health of the jobs, which changes by itself. */
async function apiState(): Promise<unknown> {
  const rulesets = await done(api(sluice, 'GET', `${zonePath}/rulesets`))
  const entryPoint = await done(
    api(sluice, 'GET', `${zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`),
  )
  const jobs = await done(api(sluice, 'GET', `${zonePath}/logpush/jobs`))
  const settings = jobs.result.map(
    ({ last_complete, last_error, error_message, ...job }: object & Health) => job,
  )
  return [rulesets.result, entryPoint.result, settings]
}

interface Health {
  readonly last_complete?: unknown
  readonly last_error?: unknown
  readonly error_message?: unknown
}

async function done(call: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await call
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer
}

function pathOf(line: Record<string, unknown>): string {
  return line['ClientRequestPath'] as string
}
