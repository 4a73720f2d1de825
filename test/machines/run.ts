import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../faults/random.ts'
import { testToken } from '../support/sluice.ts'
import { type Cluster, destinationOf, startCluster } from './cluster.ts'
import { Delivered, problemsOf } from './lines.ts'
import type { Machine } from './machine.ts'
import { observerAddress } from './network.ts'
import { kinds, type Strike } from './strikes.ts'
import { Traffic } from './traffic.ts'

const host = 'site.test'
const strikesMax = 3
const drainMs = 120_000

interface Options {
  readonly seed: number
  readonly minutes: number
  readonly perSecond: number
  tell(line: string): void
}

/** Starts the machines, lets faults strike under traffic and changes, and heals them. @returns what went wrong */
export async function run({ seed, minutes, perSecond, tell }: Options): Promise<string[]> {
  const startMs = performance.now()
  const story = (line: string) =>
    tell(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${line}`)
  story(`seed ${seed}`)
  const origin = createServer((_, response) => response.end('served'))
  const cluster = await startCluster()
  const interrupted = () => void cluster.close().finally(() => process.exit(1))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    await new Promise<void>(resolve => origin.listen(0, observerAddress, resolve))
    story(`${cluster.all.length} machines are ready`)
    const changes = new Changes(cluster)
    await changes.begin(`http://${observerAddress}:${(origin.address() as { port: number }).port}`)
    const edges = cluster.edges.map(edge => ({ name: edge.name, ...cluster.edgeAddress(edge) }))
    const traffic = new Traffic(edges, host)
    await untilAll(traffic, '/refused/ready', 403)
    const problems: string[] = []
    const flowing = traffic.run(perSecond)
    const trial = { cluster, changes, traffic, random: new Random(seed), story }
    const counts = await strike(trial, minutes * 60_000)
    story('all faults are healed')
    await sleep(5000)
    await traffic.end()
    await flowing
    const last = await changes.make()
    if (last === undefined) problems.push('no control takes a change after the faults')
    else await untilAll(traffic, last, 403).catch(error => problems.push(error.message))
    const delivered = new Delivered(cluster.s3Url)
    await delivered.wait(traffic.attempts, drainMs)
    problems.push(...traffic.failures.map(what => `${what}: no edge served it`))
    const own = delivered.lines.filter(line => /^\/(served|refused)\/\d/.test(line.ClientRequestPath))
    problems.push(...problemsOf(traffic.attempts, own))
    const faults = [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
    story(
      `${traffic.sent} requests, ${own.length} lines in ${delivered.objects} objects, ${changes.made} changes; ${faults}`,
    )
    if (problems.length > 0) for (const machine of cluster.all) tellOutput(machine.name, machine.output, tell)
    return problems
  } finally {
    await cluster.close()
    origin.close()
  }
}

function tellOutput(name: string, output: string, tell: (line: string) => void): void {
  for (const line of output.split('\n').slice(-12)) tell(`    ${name}: ${line.slice(0, 400)}`)
}

/** Every edge answers with this status. */
async function untilAll(traffic: Traffic, path: string, status: number): Promise<void> {
  let seen: (number | undefined)[] = []
  for (let turn = 0; turn < 300; turn++, await sleep(200)) {
    seen = await traffic.askAll(path)
    if (seen.every(one => one === status)) return
  }
  throw new Error(`${path}: the edges answer ${seen.join(', ')} instead of ${status}`)
}

interface Trial {
  readonly cluster: Cluster
  readonly changes: Changes
  readonly traffic: Traffic
  readonly random: Random
  story(line: string): void
}

/**
 * Lets faults strike, a few at a time. One edge at least serves meanwhile, so that requests can flow.
 * @returns how many of each kind
 */
async function strike(
  { cluster, changes, traffic, random, story }: Trial,
  forMs: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const struck = new Map<Strike, number>()
  const endMs = performance.now() + forMs
  let nextStrikeMs = 0
  let nextChangeMs = 0
  const heal = async (one: Strike) => {
    struck.delete(one)
    story(`healed: ${one.what}`)
    await one.heal()
  }
  while (performance.now() < endMs) {
    const nowMs = performance.now()
    for (const [one, untilMs] of struck) if (nowMs >= untilMs) await heal(one)
    if (nowMs >= nextStrikeMs && struck.size < strikesMax) {
      nextStrikeMs = nowMs + random.int(1000, 6000)
      const kind = random.pick(kinds)
      const names = new Set([...struck.keys()].map(({ machine }) => machine.name))
      // An edge that was healed may still be starting.
      const serving = (await traffic.serving()).filter(name => !names.has(name))
      const isNeeded = (name: string) => serving.length < 2 && name.startsWith('edge')
      const at = kind.at(cluster).filter(({ name }) => !names.has(name) && !isNeeded(name))
      if (at.length > 0) {
        const machine = random.pick(at)
        const what = `${kind.name}, ${machine.name}`
        story(what)
        const heals = await kind.strike(machine, random)
        struck.set({ what, machine, heal: heals }, nowMs + random.int(2000, 20_000))
        counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1)
      }
    }
    if (nowMs >= nextChangeMs) {
      nextChangeMs = nowMs + 4000
      void changes.make()
    }
    // As a supervisor does.
    const down = new Set([...struck.keys()].map(({ machine }) => machine))
    for (const machine of cluster.all)
      if (!machine.isRunning && !down.has(machine)) {
        story(`${machine.name} ended by itself: ${machine.output.trim().split('\n').at(-1)?.slice(0, 300)}`)
        machine.start()
      }
    await sleep(100)
  }
  for (const one of [...struck.keys()]) await heal(one)
  return counts
}

/** Changes of the zone's rules, through whichever control answers. */
class Changes {
  made = 0
  readonly #cluster: Cluster
  #zone = ''
  #tried = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  async begin(origin: string): Promise<void> {
    const [account] = (await this.#need('GET', '/accounts')) as { id: string }[]
    const zone = { name: host, account: { id: account!.id }, origin: { url: origin } }
    this.#zone = ((await this.#need('POST', '/zones', zone)) as { id: string }).id
    await this.make()
    await this.#need('POST', `/zones/${this.#zone}/logpush/jobs`, {
      destination_conf: destinationOf(this.#cluster),
      dataset: 'http_requests',
      enabled: true,
      max_upload_interval_seconds: 30,
      output_options: { field_names: ['ClientRequestPath', 'EdgeResponseStatus', 'RayID'] },
    })
  }

  /** @returns a path that the change has refused, undefined when no control took it */
  async make(): Promise<string | undefined> {
    const path = `/now/${++this.#tried}`
    const rule = (start: string) => ({
      action: 'block',
      expression: `starts_with(http.request.uri.path, "${start}")`,
    })
    const rules = { rules: [rule('/refused/'), rule(path)] }
    const url = `/zones/${this.#zone}/rulesets/phases/http_request_firewall_custom/entrypoint`
    const result = await this.#send('PUT', url, rules)
    if (typeof result === 'string') return undefined
    this.made++
    return path
  }

  /** One request to one control: repeated at the other after a timeout, it could create a second job. */
  async #need(method: string, path: string, body?: unknown): Promise<unknown> {
    const [control] = this.#cluster.controls
    return (await this.#ask(control!, 60_000, method, path, body)).result
  }

  /** @returns why no control took it */
  async #send(method: string, path: string, body?: unknown): Promise<{ result: unknown } | string> {
    let why = ''
    for (const control of this.#cluster.controls)
      try {
        return await this.#ask(control, 3000, method, path, body)
      } catch (error) {
        why = `${control.name}: ${error}`
      }
    return why
  }

  async #ask(
    control: Machine,
    timeoutMs: number,
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ result: unknown }> {
    const response = await fetch(`${this.#cluster.apiUrl(control)}${path}`, {
      method,
      headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { result: unknown }
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
}
