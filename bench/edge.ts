import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { api, discard, type Instance, sharedCrs, startSluice } from '../test/support/sluice.ts'
import type { LoadOrder, LoadResult } from './support/edge-load.ts'

/**
 * Requests through the edge, on kept-alive connections: straight to the origin, through a zone without rules, and
 * with the OWASP ruleset at paranoia levels 1 and 4. One edge worker; origin, edge and load are processes of their own.
 * Usage: npm run bench:edge -- [CRS directory or archive]
 */
const crs = process.argv[2] ?? process.env['SLUICE_CRS'] ?? sharedCrs
if (!existsSync(crs)) {
  console.error(`bench: no CRS at ${crs}; name one: npm run bench:edge -- PATH`)
  process.exit(1)
}

const connections = 16
const warmUpMs = 1500
const measuredMs = 3000

const browser = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language: en-GB,en;q=0.9',
  'Accept-Encoding: gzip, deflate',
  'Cookie: session=5f2b6c0e9d7a4b31; theme=light',
]
const form = new URLSearchParams({
  name: 'Mary Byrne',
  email: 'mary.byrne@mail.example',
  street: '12 Harbour Road',
  text: 'The kettle arrived on Tuesday and works well. Could you send the invoice again?',
}).toString()

const kinds: readonly (readonly [name: string, requestFor: (host: string) => readonly string[]])[] = [
  [
    'GET',
    host =>
      ['/', '/products?colour=blue&size=42&page=2', '/assets/site.css'].map(path =>
        [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...browser, '', ''].join('\r\n'),
      ),
  ],
  [
    'form POST',
    host => [
      [
        'POST /orders HTTP/1.1',
        `Host: ${host}`,
        ...browser,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${form.length}`,
        '',
        form,
      ].join('\r\n'),
    ],
  ],
]

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'

async function main(): Promise<void> {
  const originProcess = fork(join(import.meta.dirname, 'support', 'edge-origin.ts'))
  const load = fork(join(import.meta.dirname, 'support', 'edge-load.ts'))
  const [originPort] = (await once(originProcess, 'message')) as [number]
  const sluice = await startSluice({ settings: { SLUICE_CRS: crs } })
  try {
    await makeZone(sluice, 'bare.test', originPort, undefined)
    await makeZone(sluice, 'level1.test', originPort, 1)
    await makeZone(sluice, 'level4.test', originPort, 4)
    await new Promise(resolve => setTimeout(resolve, 1500))
    printMachine()
    for (const [kind, requestsFor] of kinds) await compare(kind, requestsFor, load, sluice, originPort)
  } finally {
    await discard(sluice)
    originProcess.disconnect()
    load.disconnect()
  }
}

async function compare(
  kind: string,
  requestsFor: (host: string) => readonly string[],
  load: ChildProcess,
  sluice: Instance,
  originPort: number,
): Promise<void> {
  const ways = [
    ['origin alone', 'bare.test', originPort],
    ['edge, no rules', 'bare.test', sluice.edgePort],
    ['edge, OWASP PL1', 'level1.test', sluice.edgePort],
    ['edge, OWASP PL4', 'level4.test', sluice.edgePort],
  ] as const
  const results: LoadResult[] = []
  console.log(
    `\n${kind.padEnd(18)}${['requests/s', 'p50 ms', 'p99 ms', 'of origin', 'of no rules'].map(pad).join('')}`,
  )
  for (const [name, host, port] of ways) {
    const result = await measure(load, {
      port,
      requests: requestsFor(host),
      connections,
      warmUpMs,
      measuredMs,
    })
    results.push(result)
    const ratioTo = (other: LoadResult | undefined) =>
      other === undefined ? '' : (result.requestsPerSecond / other.requestsPerSecond).toFixed(3)
    const figures = [
      result.requestsPerSecond.toFixed(0),
      result.p50Ms.toFixed(2),
      result.p99Ms.toFixed(2),
      ratioTo(results[0]),
      ratioTo(results[1]),
    ]
    console.log(`${name.padEnd(18)}${figures.map(pad).join('')}`)
    if (result.refused > 0) throw new Error(`${result.refused} requests were not answered with 200`)
  }
}

async function measure(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  load.send(order)
  const [result] = (await once(load, 'message')) as [LoadResult]
  return result
}

async function makeZone(
  sluice: Instance,
  name: string,
  originPort: number,
  level: number | undefined,
): Promise<void> {
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = await api(sluice, 'POST', '/zones', {
    name,
    account: { id: account.id },
    origin: { url: `http://127.0.0.1:${originPort}` },
  })
  if (level === undefined) return
  const off = [2, 3, 4].filter(other => other > level)
  const overrides = {
    ...(off.length > 0 && {
      categories: off.map(other => ({ category: `paranoia-level-${other}`, enabled: false })),
    }),
    rules: [{ id: lastRule, score_threshold: 25 }],
  }
  const path = `/zones/${zone.result.id}/rulesets/phases/http_request_firewall_managed/entrypoint`
  const rules = [{ action: 'execute', expression: 'true', action_parameters: { id: owasp, overrides } }]
  const answer = await api(sluice, 'PUT', path, { rules })
  if (!answer.success)
    throw new Error(`the OWASP ruleset cannot be deployed: ${JSON.stringify(answer.errors)}`)
}

function printMachine(): void {
  const cores = cpus()
  console.log(
    `${cores.length} × ${cores[0]?.model.trim()}, ${process.platform}, node ${process.versions.node}, CRS ${basename(crs)}`,
  )
  console.log(
    `1 edge worker, ${connections} connections, one request at a time on each, ${measuredMs / 1000} s a figure after ${warmUpMs / 1000} s`,
  )
}

function pad(text: string): string {
  return text.padStart(12)
}

await main()
