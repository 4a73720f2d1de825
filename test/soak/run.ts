import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeZone } from '../../bench/support/edge-zones.ts'
import { startProduct } from '../../bench/support/product.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { Random } from '../faults/random.ts'
import { eventually } from '../support/eventually.ts'
import { type Pebble, startPebble } from '../support/pebble.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { api, discard, type Instance, testCrs } from '../support/sluice.ts'
import { Changes } from './changes.ts'
import { Lines } from './lines.ts'
import { Load } from './load.ts'
import { importCrs, serialOf } from './middle.ts'
import { host, servedText } from './requests.ts'
import { type Sample, Sampler } from './samples.ts'

export interface SoakOptions {
  readonly seed: number
  readonly minutes: number
  /** Undefined: 80 % of what the edge answers at most. */
  readonly perSecond: number | undefined
  /** The product has the first core for itself, clients and servers the second. */
  readonly pin: boolean
  tell(line: string): void
}

export interface SoakResult {
  readonly samples: readonly Sample[]
  readonly problems: readonly string[]
}

const bucket = 'soak'
const maximumForMs = 20_000
const loadShare = 0.8
const parts = 60
/** Parts after which the import begins. */
const importAfter = 20
/** Of the memory, from the third fifth to the last. */
const growthMax = 1.1

/** Holds load and changes on a started product and imports a CRS release and renews a certificate meanwhile. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const closing: (() => unknown)[] = []
  const after = (close: () => unknown) => void closing.unshift(close)
  try {
    return await run(options, after)
  } finally {
    for (const close of closing) await close()
  }
}

async function run(options: SoakOptions, after: (close: () => unknown) => void): Promise<SoakResult> {
  const { seed, minutes, tell } = options
  tell(`seed ${seed}`)
  if (options.pin) pinTo(1, process.pid)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-soak-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const s3 = await startS3([bucket])
  after(() => s3.close())
  const [httpPort, tlsPort] = [await freePort(), await freePort()]
  // A certificate is renewed when two thirds of its life are over.
  const validSeconds = Math.ceil(minutes * 60 * 0.75) + 60
  const pebble = await startPebble({ after }, { httpPort, tlsPort, validSeconds })
  const sluice = await startEdge(pebble, folder, { httpPort, tlsPort })
  after(() => discard(sluice))
  if (options.pin) pinTo(0, sluice.pid)
  const zone = await makeZone(sluice, host, await startOrigin(after))
  const changes = new Changes(sluice, zone, new Random(seed))
  await changes.begin()
  await makeJob(sluice, zone, s3)
  const root = await pebble.root()
  const firstSerial = await eventually(() => serialOf(tlsPort, root))

  const httpsUrl = `https://127.0.0.1:${tlsPort}`
  const load = await Load.start({ seed, httpUrl: sluice.edgeUrl, httpsUrl, root })
  after(() => load.close())
  const maximum = await load.maximum(maximumForMs)
  const perSecond = Math.floor(options.perSecond ?? maximum * loadShare)
  tell(`at most ${maximum.toFixed(0)} requests a second; ${perSecond} a second from now on`)
  const { sent } = await load.look()
  load.hold(perSecond)
  const changing = changes.run()
  const sampler = new Sampler(sluice, load, sent)
  const samples: Sample[] = []
  const problems: string[] = []
  let importing: Promise<unknown> = Promise.resolve()
  for (let part = 0; part < parts; part++) {
    if (part === importAfter) {
      tell('imports a release of the CRS')
      importing = importCrs(sluice, folder).then(tell, error => problems.push(`import: ${error.message}`))
    }
    const sample = await sampler.next((minutes * 60_000) / parts)
    samples.push(sample)
    tell(lineOf(sample))
    problems.push(...sample.failures)
  }
  await importing
  changes.end()
  await changing
  const last = await load.end()
  problems.push(...last.failures, ...changes.failures)
  if ((await serialOf(tlsPort, root)) === firstSerial) problems.push('the certificate was not renewed')
  problems.push(...growthOf(samples))
  const lines = new Lines(seed, last.sent)
  problems.push(...(await lines.read(s3, bucket)))
  const slowest = Math.max(...changes.inForceMs).toFixed(0)
  tell(
    `${last.sent} requests, ${last.answered} answered as they should be; ${lines.lines} lines in ${lines.objects} objects; ${changes.made} changes, a rule in force after ${slowest} ms at most`,
  )
  const code = await sluice.stop()
  if (code !== 0) problems.push(`the product ended with ${code}`)
  return { samples, problems }
}

function startEdge(
  pebble: Pebble,
  folder: string,
  { httpPort, tlsPort }: { readonly httpPort: number; readonly tlsPort: number },
): Promise<Instance> {
  const trusted = join(folder, 'authority.pem')
  return writeFile(trusted, pebble.trusted).then(() =>
    startProduct({
      settings: {
        SLUICE_CRS: testCrs,
        SLUICE_WORKERS: undefined,
        SLUICE_EDGE_LISTEN: `127.0.0.1:${httpPort}`,
        SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tlsPort}`,
        SLUICE_HEALTH_LISTEN: '127.0.0.1:0',
        SLUICE_ACME_DIRECTORY: pebble.directory,
        SLUICE_ACME_CA: trusted,
        SLUICE_ACME_TERMS_AGREED: 'yes',
      },
    }),
  )
}

async function startOrigin(after: (close: () => unknown) => void): Promise<number> {
  const origin = createServer((request, response) => {
    request.resume().on('end', () => response.end(servedText))
  })
  // A connection that the origin closes as a POST is sent gives a 502.
  origin.keepAliveTimeout = 0
  await once(origin.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    origin.closeAllConnections()
    origin.close()
  })
  return (origin.address() as AddressInfo).port
}

async function makeJob(sluice: Instance, zone: string, s3: S3Server): Promise<void> {
  const { accessKeyId, secretAccessKey } = s3Credentials
  const answer = await api(sluice, 'POST', `${zone}/logpush/jobs`, {
    destination_conf: `s3://${bucket}/{DATE}?region=us-east-1&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}&endpoint=${s3.url}`,
    dataset: 'http_requests',
    enabled: true,
    max_upload_interval_seconds: 60,
    output_options: { field_names: ['ClientRequestPath', 'EdgeResponseStatus', 'RayID'] },
  })
  if (!answer.success) throw new Error(`the job is refused: ${JSON.stringify(answer.errors)}`)
}

/** All its threads, later ones too. */
function pinTo(core: number, pid: number): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)])
  if (status !== 0) throw new Error(`taskset: ${stderr}`)
}

function growthOf(samples: readonly Sample[]): string[] {
  const meanOf = (part: readonly Sample[]) =>
    part.reduce((sum, { mebibytes }) => sum + mebibytes, 0) / part.length
  const fifth = samples.length / 5
  const before = meanOf(samples.slice(2 * fifth, 3 * fifth))
  const after = meanOf(samples.slice(4 * fifth))
  if (after <= before * growthMax) return []
  return [`memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`]
}

function lineOf(sample: Sample): string {
  const { minute, perSecond, p50Ms, p99Ms, maxMs, mebibytes, loopDelayMs, undelivered } = sample
  return `${minute.toFixed(1).padStart(5)} min  ${perSecond.toFixed(0)}/s  ${sample.failures.length} failed  p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(0)} max ${maxMs.toFixed(0)} ms  ${mebibytes.toFixed(0)} MiB  loop ${loopDelayMs.toFixed(0)} ms  ${undelivered} undelivered`
}
