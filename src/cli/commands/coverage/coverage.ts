import { open } from 'node:fs/promises'
import {
  type CoverageStatus,
  coverAccount,
  coverageLimits,
  coverageStatuses,
  coverPlan,
  coverZone,
  PlanError,
  reasonOf,
} from '../../../coverage/index.ts'
import { type DataSources, dataSourcesOf } from '../../../rulesets/index.ts'
import type { Store } from '../../../store/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { withStore } from '../../with-store.ts'

/** One line of the answer. */
interface Item {
  /** The address of the resource in the configuration, or the owner and name of a stored item. */
  readonly name: string
  readonly type: string
  readonly status: CoverageStatus
  /** Empty for what is enforced. */
  readonly reason: string
  readonly count: number
}

/** Something is not enforced, or only in part. */
const incompleteCode = 3

const words: Readonly<Record<CoverageStatus, string>> = {
  enforced: 'enforced',
  partly: 'partly',
  not_enforced: 'not enforced',
  unknown: 'unknown',
}

/** `sluice coverage` and `sluice coverage FILE`. */
export async function coverageCommand(commandLine: readonly string[]): Promise<void> {
  const { words: files, flags, settings } = parseCommandLine(commandLine, [], ['json'])
  const [file] = files
  if (files.length > 1) throw new UsageError('use `sluice coverage [FILE] [--json]`', { command: 'coverage' })
  const sources = dataSourcesOf(settings)
  const show = flags.has('json') ? printJson : printText
  if (file === undefined)
    return withStore(settings, 'sluice coverage', async store =>
      report(await storedItems(store, sources), 0, show),
    )
  const { items, others } = planItems(file, await textOf(file), sources)
  report(items, others, show)
}

function planItems(
  file: string,
  text: string,
  sources: DataSources,
): { readonly items: readonly Item[]; readonly others: number } {
  try {
    const { resources, others } = coverPlan(text, sources)
    const items = resources.map(({ address, type, coverage }) => ({
      name: address,
      type,
      status: coverage.status,
      reason: reasonOf(coverage),
      count: 1,
    }))
    return { items, others }
  } catch (error) {
    if (error instanceof PlanError) throw new Error(`${file} cannot be read: ${error.message}`)
    throw error
  }
}

async function textOf(path: string): Promise<string> {
  const { planBytesMax } = coverageLimits
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > planBytesMax) throw new Error(`${path} has more than ${planBytesMax} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function storedItems(store: Store, sources: DataSources): Promise<readonly Item[]> {
  const items: Item[] = []
  const add = (owner: string, stored: Awaited<ReturnType<typeof coverZone>>) => {
    for (const { name, type, count, coverage } of stored) {
      const status = coverage.status
      items.push({ name: `${owner}: ${name}`, type, status, reason: reasonOf(coverage), count })
    }
  }
  for (const { id } of await store.accounts.list())
    add(`account ${id}`, await coverAccount(store, id, sources))
  for (const zone of await store.zones.list()) add(`zone ${zone.name}`, await coverZone(store, zone, sources))
  return items
}

type Show = (items: readonly Item[], counts: Counts, others: number) => void
type Counts = Readonly<Record<CoverageStatus, number>>

/** Prints the items that need attention first, and then the others. */
function report(items: readonly Item[], others: number, show: Show): void {
  const rank = ({ status }: Item) => coverageStatuses.indexOf(status)
  const counts = Object.fromEntries(
    coverageStatuses.map(status => [
      status,
      items.filter(item => item.status === status).reduce((sum, { count }) => sum + count, 0),
    ]),
  ) as Counts
  show(
    items.toSorted((a, b) => rank(a) - rank(b)),
    counts,
    others,
  )
  if (items.some(({ status }) => status !== 'enforced')) process.exitCode = incompleteCode
}

function printJson(items: readonly Item[], counts: Counts, others: number): void {
  console.log(JSON.stringify({ counts, other_providers: others, items }, null, 2))
}

function printText(items: readonly Item[], counts: Counts, others: number): void {
  for (const { name, type, status, reason, count } of items) {
    const kind = name.includes(type) ? '' : `  ${type}`
    console.log(plain(`${words[status].padEnd(13)} ${name}${count === 1 ? '' : ` (${count})`}${kind}`))
    if (reason !== '') console.log(plain(`${' '.repeat(14)}${reason}`))
  }
  const told = coverageStatuses.toReversed().map(status => `${counts[status]} ${words[status]}`)
  const elsewhere = others === 0 ? '' : `; ${others} of other providers`
  console.log(`${told.join(', ')}${elsewhere}`)
}

/** Names and values come from files of others: they must not steer the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '�')
}
