import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Ends, without } from '../src/agents/testing/proxies.ts'
import { discard, testCrs } from '../test/support/sluice.ts'
import { comparePeers } from './edge-peers/index.ts'
import type { LoadResult } from './support/edge-load.ts'
import { deploy, makeZone, protect, redirectList } from './support/edge-zones.ts'
import { cpuMs } from './support/process-cpu.ts'
import { startProduct } from './support/product.ts'
import { sendLoad } from './support/send-load.ts'
import { compareTls } from './tls/index.ts'
import { startNginx } from './tls/nginx.ts'

/**
 * Requests through the edge, on kept-alive connections: straight to the origin, through a zone without rules, and
 * with the OWASP ruleset at paranoia levels 1 and 4. Also attacks that pass or that a custom rule or the OWASP
 * ruleset blocks, bulk redirects with a list of 100,000, and compression beside nginx. One edge worker; origin, edge
 * and load are separate processes. `cpu us` is the processor time of the whole process per request: edge, records,
 * analytics, garbage collection.
 */
const help = `Requests through the edge.

  npm run bench:edge -- [--tls] [CRS]     CRS: directory or archive, else SLUICE_CRS
  npm run bench:edge -- --peers [--short] [--only WORDS] [--shape WORDS] [--seconds N] [--rounds N]
                                          [--beside CHECKOUT] [CRS]

--tls    TLS, HTTP/2, HAProxy and Envoy beside nginx, and the memory of idle connections
--peers  Sluice beside other proxies and firewalls on one core, with fixed and with varied values. --only and --shape
         select by words of names (--only "sluice pl1,node"); --short leaves out the tables by shape, of attacks and of
         workers, as --shape does; --beside measures another checkout of Sluice too
`
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tls: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    shape: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    beside: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  process.stdout.write(help)
  process.exit()
}
const crs = positionals[0] ?? process.env['SLUICE_CRS'] ?? testCrs
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
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Cookie: session=5f2b6c0e9d7a4b31; theme=light',
]
const form = new URLSearchParams({
  name: 'Mary Byrne',
  email: 'mary.byrne@mail.example',
  street: '12 Harbour Road',
  text: 'The kettle arrived on Tuesday and works well. Could you send the invoice again?',
}).toString()

interface Kind {
  readonly name: string
  readonly requestsFor: (host: string) => readonly string[]
  /** Name, host, and the status of every answer. The host is empty for the origin, and `nginx` for nginx. */
  readonly targets: readonly (readonly [name: string, host: string, status: number])[]
}

const passed = [
  ['origin alone', '', 200],
  ['edge, no rules', 'bare.test', 200],
  ['edge, OWASP PL1', 'level1.test', 200],
  ['edge, OWASP PL4', 'level4.test', 200],
] as const

const get = (path: string, host: string) =>
  [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...browser, '', ''].join('\r\n')

const attack = new URLSearchParams({
  colour: "1' union select name, password from users where '1'='1",
  text: '<script>alert(document.cookie)</script>',
}).toString()

/** A path of twelve segments is looked up at each of them, and the host at each label. */
const deep = '/catalogue/2026/garden/furniture/chairs/wood/oak/folding/green/large/4711/index.html'
const single = {
  target_url: { expression: 'concat("https://new.test", http.request.uri.path)' },
  status_code: 301,
}

const kinds: readonly Kind[] = [
  {
    name: 'GET',
    requestsFor: host =>
      ['/', '/products?colour=blue&size=42&page=2', '/assets/site.css'].map(path => get(path, host)),
    targets: passed,
  },
  {
    name: 'form POST',
    requestsFor: host => [
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
    targets: passed,
  },
  {
    name: 'attack, GET',
    requestsFor: host => [get(`/products?${attack}`, host)],
    targets: [
      ['origin alone', '', 200],
      ['edge, no rules', 'bare.test', 200],
      ['custom rule blocks', 'custom.test', 403],
      ['OWASP PL1 blocks', 'level1.test', 403],
      ['OWASP PL4 blocks', 'level4.test', 403],
    ],
  },
  {
    name: 'redirects',
    requestsFor: host => ['/old/17', '/old/99999'].map(path => get(path, host)),
    targets: [
      ['origin alone', '', 200],
      ['edge, no rules', 'bare.test', 200],
      ['one dynamic', 'single.test', 301],
      ['100,000 listed', 'listed.test', 301],
    ],
  },
  {
    name: 'no redirect matches',
    requestsFor: host => [get(deep, host)],
    targets: [
      ['origin alone', '', 200],
      ['edge, no rules', 'bare.test', 200],
      ['100,000 listed', 'listed.test', 200],
      ['below a domain', 'a.b.c.listed.test', 200],
    ],
  },
  {
    name: 'page of 100 KB',
    requestsFor: host => [get('/large', host)],
    targets: [
      ['origin alone', '', 200],
      ['edge, no rules', 'bare.test', 200],
      ['edge, gzip', 'gzip.test', 200],
      ['edge, Brotli', 'brotli.test', 200],
      ['edge, Zstandard', 'zstd.test', 200],
      ['nginx, gzip -6', 'nginx', 200],
    ],
  },
]

async function main(): Promise<void> {
  const ended: (() => unknown)[] = []
  const ends: Ends = { after: end => void ended.unshift(end as () => unknown) }
  const originProcess = fork(join(import.meta.dirname, 'support', 'edge-origin.ts'))
  const load = fork(join(import.meta.dirname, 'support', 'edge-load.ts'))
  const [originPort] = (await once(originProcess, 'message')) as [number]
  const sluice = await startProduct({ settings: { SLUICE_CRS: crs } })
  try {
    await makeZone(sluice, 'bare.test', originPort)
    await protect(sluice, await makeZone(sluice, 'level1.test', originPort), 1, 25)
    await protect(sluice, await makeZone(sluice, 'level4.test', originPort), 4, 25)
    await deploy(sluice, await makeZone(sluice, 'custom.test', originPort), 'http_request_firewall_custom', {
      action: 'block',
      expression: 'lower(http.request.uri.query) contains "union"',
    })
    await deploy(sluice, await makeZone(sluice, 'single.test', originPort), 'http_request_dynamic_redirect', {
      action: 'redirect',
      expression: 'true',
      action_parameters: { from_value: single },
    })
    await makeZone(sluice, 'listed.test', originPort)
    await redirectList(sluice, 'listed.test', 100_000)
    for (const name of ['gzip', 'brotli', 'zstd'])
      await deploy(sluice, await makeZone(sluice, `${name}.test`, originPort), 'http_response_compression', {
        action: 'compress_response',
        expression: 'true',
        action_parameters: { algorithms: [{ name }] },
      })
    await new Promise(resolve => setTimeout(resolve, 1500))
    printMachine()
    const servers: Servers = {
      edge: { port: sluice.edgePort, pid: sluice.pid },
      origin: { port: originPort, pid: originProcess.pid! },
      nginx: without('nginx') === false ? await startNginx(ends, 'nginx', originPort) : undefined,
    }
    for (const kind of kinds) await compare(kind, load, servers)
  } finally {
    for (const end of ended) await end()
    await discard(sluice)
    originProcess.disconnect()
    load.disconnect()
  }
}

interface Server {
  readonly port: number
  readonly pid: number
}

interface Servers {
  readonly origin: Server
  readonly edge: Server
  /** Undefined where it is not installed. */
  readonly nginx: Server | undefined
}

async function compare(
  { name: kind, requestsFor, targets }: Kind,
  load: ChildProcess,
  { origin, edge, nginx }: Servers,
): Promise<void> {
  const results: LoadResult[] = []
  const titles = ['requests/s', 'p50 ms', 'p99 ms', 'cpu us', 'of origin', 'of no rules']
  console.log(`\n${kind.padEnd(20)}${titles.map(pad).join('')}`)
  for (const [name, host, status] of targets) {
    const server = host === '' ? origin : host === 'nginx' ? nginx : edge
    if (server === undefined) continue
    const before = cpuMs(server.pid)
    const result = await sendLoad(load, {
      port: server.port,
      requests: requestsFor(host === '' ? 'bare.test' : host),
      status,
      connections,
      warmUpMs,
      measuredMs,
    })
    const cpuUs = ((cpuMs(server.pid) - before) * 1000) / result.answers
    results.push(result)
    const ratioTo = (other: LoadResult | undefined) =>
      other === undefined ? '' : (result.requestsPerSecond / other.requestsPerSecond).toFixed(3)
    const figures = [
      result.requestsPerSecond.toFixed(0),
      result.p50Ms.toFixed(2),
      result.p99Ms.toFixed(2),
      host === '' || Number.isNaN(cpuUs) ? '' : cpuUs.toFixed(0),
      ratioTo(results[0]),
      ratioTo(results[1]),
    ]
    console.log(`${name.padEnd(20)}${figures.map(pad).join('')}`)
    if (result.others > 0) throw new Error(`${result.others} requests were not answered with ${status}`)
  }
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

if (flags.tls) await compareTls(crs)
else if (!flags.peers) await main()
else
  await comparePeers({
    crs,
    only: flags.only.split(',').filter(Boolean),
    shape: flags.shape,
    isShort: flags.short || flags.shape !== undefined,
    seconds: Number(flags.seconds),
    rounds: Number(flags.rounds),
    beside: flags.beside,
  })
