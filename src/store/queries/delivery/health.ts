import type { JobHealth } from '../../../model/resource.ts'
import type { Tx } from '../../transactions.ts'

type Fault = Omit<JobHealth, 'lastComplete'>

/** As it is in the database. */
interface StoredHealth extends JobHealth {
  /** The parts of the job's log that have a fault, by name. */
  readonly parts?: { readonly [part: string]: Fault }
}

const sound: Fault = { lastError: null, errorMessage: null, paused: false }

export function healthOf(text: string): JobHealth {
  const { parts: _, ...health } = JSON.parse(text) as StoredHealth
  return health
}

export function healthText({ lastComplete, lastError, errorMessage, paused }: JobHealth): string {
  return JSON.stringify({ lastComplete, lastError, errorMessage, paused } satisfies StoredHealth)
}

/** The text once one part of the log has reported. The job's row is locked. */
export async function partText(tx: Tx, jobId: number, part: string, health: JobHealth): Promise<string> {
  const row = await tx.selectFrom('jobs').select('health').where('id', '=', jobId).executeTakeFirst()
  if (row === undefined) return healthText(health)
  return JSON.stringify(joined(JSON.parse(row.health) as StoredHealth, part, health))
}

/** The newest delivery of all parts, and the fault of one: a pause before others, then by name. */
function joined(known: StoredHealth, part: string, health: JobHealth): StoredHealth {
  const { lastComplete, lastError, errorMessage, paused } = health
  const { [part]: _, ...others } = known.parts ?? {}
  const parts = errorMessage === null ? others : { ...others, [part]: { lastError, errorMessage, paused } }
  const names = Object.keys(parts).sort()
  const first = names.find(name => parts[name]!.paused) ?? names[0]
  const moments = [known.lastComplete, lastComplete].filter(moment => moment !== null).sort()
  return {
    lastComplete: moments.at(-1) ?? null,
    ...(first === undefined ? sound : parts[first]!),
    parts,
  }
}
