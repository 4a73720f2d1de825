import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PlanTable } from '../src/app/plans/plan-table.ts'
import { createChangeFeed } from '../src/bus/index.ts'
import { systemClock, timestampOf } from '../src/kit/clock.ts'
import { newId } from '../src/kit/ids.ts'
import type { JsonObject, Ruleset, Zone } from '../src/model/resource.ts'
import {
  buildManagedRulesets,
  type ManagedExecution,
  owaspRequestRulesetId,
  type RequestView,
  type ZonePlan,
} from '../src/rulesets/index.ts'
import { openSqliteStore, type Store } from '../src/store/index.ts'
import { testCipher } from '../src/store/testing/data.ts'
import type { Program } from '../src/waf/index.ts'
import { inspectRequest } from './support/inspect.ts'
import { machineLine } from './support/machine.ts'
import { measure, median } from './support/measure.ts'
import { compileFresh, openRelease, releasePath } from './support/program.ts'
import { Random } from './support/random.ts'
import { mixedShape } from './support/request-shapes.ts'
import type { SampleRequest } from './support/sample-request.ts'
import { figure, formatTable } from './support/table.ts'

/**
 * The cost of many zones: each has the OWASP ruleset deployed, with unique overrides, and one custom rule.
 * Usage: npm run bench:zones -- [number of zones, 10,000 by default]; the CRS is that of SLUICE_CRS, else of ../shared.
 */
const zoneCount = Number(process.argv[2] ?? 10_000)
const changesMeasured = 20
/** Paranoia levels of the zones, in turn. */
const levels = 4
const budget = { warmUpMs: 3000, measuredMs: 3000 }
const now = timestampOf(systemClock.nowMs())

async function main(): Promise<void> {
  const release = await openRelease(releasePath(undefined))
  const program = compileFresh(release)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-zones-'))
  const store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher: testCipher })
  try {
    console.log(machineLine())
    await storeRelease(store, release.crsVersion, program)
    const zones = await inSeconds(`${zoneCount} zones stored`, () => storeZones(store))
    const before = memory()
    let current = program
    const table = tableOf(store, () => current)
    await inSeconds('plans built', () => table.load())
    const grown = memory() - before
    console.log(
      `memory    ${(grown / 1e6).toFixed(1)} MB for all plans, ${(grown / zoneCount / 1024).toFixed(2)} KB a zone`,
    )
    await measureChanges(store, table, zones)
    current = compileFresh(release)
    await measureRelease(table)
    await measureRequests(store, table, current, zones)
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function tableOf(store: Store, program: () => Program): PlanTable {
  return new PlanTable({
    store,
    programFor: async () => program(),
    defaultZone: undefined,
    prepare: async () => {},
    onError: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
}

async function inSeconds<T>(what: string, work: () => Promise<T>): Promise<T> {
  const beganMs = performance.now()
  const result = await work()
  console.log(`${what} in ${((performance.now() - beganMs) / 1000).toFixed(2)} s`)
  return result
}

/** Bytes on the heap and beside it, after garbage collection. */
function memory(): number {
  for (let times = 3; times > 0; times--) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function storeRelease(store: Store, crsVersion: string, program: Program): Promise<void> {
  await store.crs.insert({
    crsVersion,
    digest: '',
    origin: 'bench',
    files: [],
    managedRulesets: (version, importedOn) =>
      buildManagedRulesets(program, { crsVersion, version, importedOn }),
  })
}

async function storeZones(store: Store): Promise<readonly Zone[]> {
  const account = { id: newId(), name: 'bench', createdOn: now }
  await store.accounts.insert(account)
  const [managed] = await store.crs.managedRulesets((await store.crs.active())!.version)
  const ruleIds = managed!.rules.map(rule => rule.id)
  const random = new Random()
  const zones: Zone[] = []
  for (let i = 0; i < zoneCount; i++) {
    const zone = {
      id: newId(),
      accountId: account.id,
      name: `zone-${i}.example`,
      originUrl: 'http://127.0.0.1:9000',
      paused: false,
      type: 'full' as const,
      createdOn: now,
      modifiedOn: now,
    }
    zones.push(zone)
    await store.zones.insert(zone)
    await store.rulesets.insert(managedEntryPoint(zone, overridesOf(i, ruleIds, random)))
    await store.rulesets.insert(customEntryPoint(zone, i))
  }
  return zones
}

/** One of the four paranoia levels, a threshold and an action, and three rules that are off. */
function overridesOf(index: number, ruleIds: readonly string[], random: Random): JsonObject {
  const level = 1 + (index % levels)
  const off = () => ({ id: ruleIds[random.number(ruleIds.length - 1)]!, enabled: false })
  return {
    categories: [2, 3, 4]
      .filter(above => above > level)
      .map(above => ({ category: `paranoia-level-${above}`, enabled: false })),
    rules: [
      {
        id: ruleIds.at(-1)!,
        score_threshold: [25, 40, 60][index % 3]!,
        action: index % 2 === 0 ? 'block' : 'log',
      },
      off(),
      off(),
      off(),
    ],
  }
}

function managedEntryPoint(zone: Zone, overrides: JsonObject): Ruleset {
  const actionParameters = { id: owaspRequestRulesetId, version: 'latest', overrides }
  return entryPoint(zone, 'http_request_firewall_managed', {
    action: 'execute',
    expression: 'true',
    actionParameters,
  })
}

function customEntryPoint(zone: Zone, index: number): Ruleset {
  const expression = `http.request.uri.path eq "/admin/${index % 100}" and not ip.src in {192.0.2.0/24}`
  return entryPoint(zone, 'http_request_firewall_custom', { action: 'block', expression })
}

function entryPoint(
  zone: Zone,
  phase: Ruleset['phase'],
  rule: { readonly action: string; readonly expression: string; readonly actionParameters?: JsonObject },
): Ruleset {
  const id = newId()
  return {
    id: newId(),
    scope: { kind: 'zone', id: zone.id },
    name: 'default',
    description: '',
    kind: 'zone',
    phase,
    version: 1,
    lastUpdated: now,
    rules: [{ id, version: 1, enabled: true, ref: id, lastUpdated: now, ...rule }],
  }
}

/** From storing a change to the first request that meets it. */
async function measureChanges(store: Store, table: PlanTable, zones: readonly Zone[]): Promise<void> {
  const feed = await createChangeFeed(store.changes, error => console.error(error))
  feed.subscribe(change => void table.apply(change))
  const took: number[] = []
  for (let i = 0; i < changesMeasured; i++) {
    const zone = zones[Math.floor((i * zones.length) / changesMeasured)]!
    const old = table.find(zone.name)
    const stored = await store.rulesets.entryPoint(
      { kind: 'zone', id: zone.id },
      'http_request_firewall_managed',
    )
    await store.rulesets.update({ ...stored!, version: stored!.version + 1 })
    const beganMs = performance.now()
    while (table.find(zone.name) === old) await setImmediate()
    took.push(performance.now() - beganMs)
  }
  await feed.close()
  console.log(
    `change    of one zone in force after ${median(took).toFixed(0)} ms, at most ${Math.max(...took).toFixed(0)} ms (the feed polls every 100 ms)`,
  )
}

/** A new release concerns every zone. */
async function measureRelease(table: PlanTable): Promise<void> {
  let done = false
  const rebuilt = inSeconds('all plans rebuilt for a release', () =>
    table.apply({ sequence: 0, kind: 'crs', id: '', mark: '' }),
  ).then(() => {
    done = true
  })
  const gaps: number[] = []
  for (let last = performance.now(); !done; ) {
    await setImmediate()
    const nowMs = performance.now()
    gaps.push(nowMs - last)
    last = nowMs
  }
  await rebuilt
  console.log(`          meanwhile others had their turn after ${Math.max(...gaps).toFixed(0)} ms at most`)
}

/** Plan look-up, expressions and the engine, without a network. */
async function measureRequests(
  store: Store,
  table: PlanTable,
  program: Program,
  zones: readonly Zone[],
): Promise<void> {
  const few = zones.slice(0, levels)
  const alone = tableOf(
    { ...store, zones: { ...store.zones, list: async () => few.map(zone => ({ ...zone, revision: 1 })) } },
    () => program,
  )
  await alone.load()
  const random = new Random()
  const rows: readonly (readonly [name: string, table: PlanTable, hosts: number])[] = [
    [`${levels} zones there, one of each paranoia level`, alone, levels],
    [`${zoneCount} zones there, requests to these ${levels}`, table, levels],
    [`${zoneCount} zones there, requests to 100 of them`, table, 100],
    [`${zoneCount} zones there, requests to all of them`, table, zoneCount],
  ]
  const figures = rows.map(([name, plans, hosts]) => {
    const make = () => ({ sample: mixedShape.make(random), host: zones[random.number(hosts)]!.name })
    const { p50, p99, cpu, calls } = measure(
      make,
      ({ sample, host }) => run(plans.find(host)!, sample, host),
      budget,
    )
    return [name, ...[p50, p99, cpu].map(figure), String(calls)]
  })
  console.log(formatTable(['µs a request, mixed load', 'p50', 'p99', 'CPU', 'requests'], figures))
  console.log(`memory    ${(memory() / 1e6).toFixed(0)} MB at the end`)
}

function run(plan: ZonePlan, sample: SampleRequest, host: string): void {
  const view = viewOf(sample, host)
  for (const { rulesets } of plan.request)
    for (const { rules } of rulesets)
      for (const { matches, effect } of rules)
        if (matches(view) && effect.kind === 'execute') inspect(effect, sample)
}

function inspect({ program, mask }: ManagedExecution, sample: SampleRequest): void {
  inspectRequest(program, mask, sample)
}

/** The parts that the custom rules here need. */
function viewOf({ request }: SampleRequest, host: string): RequestView {
  const path = request.target.split('?', 1)[0]!
  return { host, path, uri: request.target, clientIp: request.clientIp } as RequestView
}

await main()
