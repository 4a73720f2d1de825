import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { miniCrs } from '../test/support/mini-crs.ts'
import { api, discard, type Instance } from '../test/support/sluice.ts'
import { makeZone } from './support/edge-zones.ts'
import { machineLine } from './support/machine.ts'
import { median } from './support/measure.ts'
import { treeCpuMs, treeResidentMebibytes, untilIdle } from './support/process-cpu.ts'
import { startProduct } from './support/product.ts'
import { figure, formatTable } from './support/table.ts'

const help = `The cost of more zones, rules and jobs, through the started product. Each line has ten times as many.

  npm run bench:growth [-- --of zones|rules|jobs] [--up-to N]

For edges, see \`npm run bench:changes\`.
`

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: 'zones,rules,jobs' },
    'up-to': { type: 'string', default: '10000' },
    help: { type: 'boolean', default: false },
  },
})

const requests = 2000
const changes = 9
const parallel = 8
const head = ['', 'number', 'ms to add one', 'MiB', 'change in force, ms', 'CPU µs a request', 'start, s']

interface Subject {
  readonly name: string
  readonly max: number
  /** Adds what is missing up to so many, to an installation that has `from`. */
  grow(sluice: Instance, zone: string, from: number, to: number): Promise<unknown>
}

const subjects: readonly Subject[] = [
  {
    name: 'zones',
    max: 10_000,
    grow: async (sluice, _, from, to) => {
      await sideBySide(from, to, n => makeZone(sluice, `zone-${n}.test`, origin))
    },
  },
  {
    name: 'rules',
    max: 1000,
    // The ruleset as a whole, as Terraform sends it.
    grow: async (sluice, zone, _, to) => setRules(sluice, zone, to, '/never'),
  },
  {
    name: 'jobs',
    max: 1000,
    grow: async (sluice, _, from, to) => {
      const folder = join(sluice.data, 'delivered')
      // A few in each of many zones, as the limit of jobs has it.
      await sideBySide(from, to, async n => {
        const zone = await makeZone(sluice, `jobs-${n}.test`, origin)
        await done(sluice, 'POST', `${zone}/logpush/jobs`, {
          destination_conf: `file://${folder}/${n}`,
          enabled: true,
          output_options: { field_names: ['RayID'] },
        })
      })
    },
  },
]

let origin = 0

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help)
  console.log(machineLine())
  const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = (server.address() as AddressInfo).port
  for (const subject of subjects.filter(({ name }) => options.of.split(',').includes(name)))
    console.log(`\n${formatTable(head, await grown(subject))}`)
  server.close()
}

async function grown(subject: Subject): Promise<string[][]> {
  const settings = { SLUICE_CRS: await miniCrs(), SLUICE_EDGE_TLS_LISTEN: 'none' }
  let sluice = await startProduct({ settings })
  const rows: string[][] = []
  try {
    const zone = await makeZone(sluice, 'grows.test', origin)
    await setRules(sluice, zone, 1, '/never')
    let from = 1
    for (let to = 1; to <= Math.min(subject.max, Number(options['up-to'])); to *= 10) {
      const added = Math.max(to - from, 1)
      const addedMs = await timed(() => subject.grow(sluice, zone, from, to))
      from = to
      await untilIdle(sluice.pid)
      const rules = subject.name === 'rules' ? to : 1
      const changeMs = await changeLatency(sluice, zone, rules)
      const requestUs = await requestCost(sluice)
      const memory = treeResidentMebibytes(sluice.pid)
      await sluice.stop()
      const { data } = sluice
      const startMs = await timed(async () => {
        sluice = await startProduct({ settings, data })
      })
      const figures = [
        addedMs / (subject.name === 'rules' ? 1 : added),
        memory,
        changeMs,
        requestUs,
        startMs / 1000,
      ]
      rows.push([subject.name, String(to), ...figures.map(figure)])
    }
  } finally {
    await discard(sluice)
  }
  return rows
}

/** From the request that changes a rule to its first effect; the median. */
async function changeLatency(sluice: Instance, zone: string, rules: number): Promise<number> {
  const pool = new Pool(sluice.edgeUrl)
  const times: number[] = []
  for (let n = 0; n < changes; n++) {
    const path = `/changed/${n}/`
    times.push(
      await timed(async () => {
        await setRules(sluice, zone, rules, path)
        while ((await statusOf(pool, path)) !== 403) await sleep(2)
      }),
    )
  }
  await pool.close()
  return median(times)
}

/** CPU time of the whole process for a request that no rule matches. */
async function requestCost(sluice: Instance): Promise<number> {
  const pool = new Pool(sluice.edgeUrl, { connections: parallel })
  const send = () => sideBySide(0, requests, () => statusOf(pool, '/'))
  await send()
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    await untilIdle(sluice.pid)
    const before = treeCpuMs(sluice.pid)
    await send()
    costs.push(((treeCpuMs(sluice.pid) - before) * 1000) / requests)
  }
  await pool.close()
  return Math.min(...costs)
}

async function statusOf(pool: Pool, path: string): Promise<number> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { host: 'grows.test' } })
  await body.dump()
  return statusCode
}

/** So many rules that look at the path; the last blocks this start of it. */
function setRules(sluice: Instance, zone: string, count: number, path: string): Promise<unknown> {
  const rules = Array.from({ length: count }, (_, n) => ({
    action: 'block',
    expression: `starts_with(http.request.uri.path, "${n === count - 1 ? path : `/rule-${n}/`}")`,
  }))
  return done(sluice, 'PUT', `${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, { rules })
}

async function done(sluice: Instance, method: string, path: string, body: unknown): Promise<unknown> {
  const answer = await api(sluice, method, path, body)
  if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer.errors)}`)
  return answer.result
}

async function sideBySide(from: number, to: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = from
  const worker = async () => {
    while (next < to) await work(next++)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

await main()
