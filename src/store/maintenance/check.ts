import { type Cipher, CipherError } from '../../kit/cipher.ts'
import { schemaFault } from '../migrations/migrate.ts'
import { StoreError } from '../port/error.ts'
import type { CounterRow } from '../schema.ts'
import { checkSeal } from '../seal-check.ts'
import type { Tx } from '../transactions.ts'
import type { Database } from './database.ts'

/** Something that is wrong with a database. */
export interface Problem {
  readonly found: string
  readonly remedy: string
}

const restore = 'restore the newest backup without this problem'

/**
 * Looks for everything that would stop a start or a part of one: the schema, the key, damage, rows without their parent,
 * values that cannot be decrypted, counters that would give a number twice. Changes nothing.
 * @throws StoreError `unavailable` when the database does not answer
 */
export async function checkDatabase(
  { backend, transactions }: Database,
  cipher: Cipher,
): Promise<readonly Problem[]> {
  const { maintenance } = backend
  const schema = await schemaFault(transactions)
  if (schema !== undefined) return [{ found: schema.found, remedy: schema.remedy }]
  return transactions.snapshot(async db => {
    const damage = await maintenance.damage(db)
    if (damage.length > 0)
      return damage.map(found => ({ found: `the file is damaged: ${found}`, remedy: restore }))
    const orphans = await maintenance.orphans(db)
    return [
      ...orphans.map(({ table, parent, rows }) => ({
        found: `${rows} rows of ${table} refer to rows of ${parent} that do not exist`,
        remedy: `delete them, or ${restore}`,
      })),
      ...(await unreadable(db, cipher)),
      ...(await lateCounters(db)),
    ]
  })
}

/** Encrypted values that can be set again. */
const sealed = [
  { table: 'jobs', id: 'id', column: 'destination', remedy: 'set destination_conf of these jobs again' },
  {
    table: 'users',
    id: 'email',
    column: 'sealed_totp',
    remedy: 'invite these users again with `npx sluice user invite EMAIL`',
  },
  { table: 'certificates', id: 'id', column: 'private_key', remedy: 'upload these certificates again' },
  {
    table: 'origin_certificates',
    id: 'id',
    column: 'private_key',
    remedy: 'upload these client certificates again',
  },
  {
    table: 'notification_webhooks',
    id: 'id',
    column: 'sealed',
    remedy: 'delete these rows, and create the webhooks again',
  },
  {
    table: 'acme_accounts',
    id: 'directory',
    column: 'sealed_key',
    remedy: 'delete these rows: the next order registers another account',
  },
] as const

/** Ids that one line lists. */
const idsShown = 10

async function unreadable(db: Tx, cipher: Cipher): Promise<readonly Problem[]> {
  try {
    await checkSeal(db, cipher)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const [found, remedy] = error.message.split(': ', 2)
    return [{ found: found!, remedy: remedy! }]
  }
  const problems: Problem[] = []
  for (const { table, id, column, remedy } of sealed) {
    const rows = await db
      .selectFrom(table as 'jobs')
      .select([`${id as 'id'} as id`, `${column as 'destination'} as value`])
      .where(column as 'destination', 'is not', null)
      .execute()
    const lost = rows.filter(({ value }) => !opens(cipher, value)).map(row => String(row.id))
    if (lost.length === 0) continue
    const ids = lost.slice(0, idsShown).join(', ') + (lost.length > idsShown ? ', …' : '')
    problems.push({
      found: `${lost.length} of ${rows.length} values of ${table}.${column} cannot be decrypted: ${ids}`,
      remedy,
    })
  }
  return problems
}

function opens(cipher: Cipher, value: string): boolean {
  try {
    cipher.open(value)
    return true
  } catch (error) {
    if (error instanceof CipherError) return false
    throw error
  }
}

/** The highest number of a counter is in this column. */
const numbered: Readonly<Record<CounterRow['name'], readonly [table: string, column: string]>> = {
  audit: ['audit_entries', 'position'],
  change: ['changes', 'sequence'],
  job: ['jobs', 'id'],
  ruleset: ['rulesets', 'position'],
}

async function lateCounters(db: Tx): Promise<readonly Problem[]> {
  const counters = await db.selectFrom('counters').selectAll().execute()
  const problems: Problem[] = []
  for (const [name, [table, column]] of Object.entries(numbered)) {
    const value = counters.find(counter => counter.name === name)?.value
    if (value === undefined) {
      problems.push({ found: `the counter ${name} is missing`, remedy: restore })
      continue
    }
    const { highest } = await db
      .selectFrom(table as 'changes')
      .select(eb => eb.fn.max(column as 'sequence').as('highest'))
      .executeTakeFirstOrThrow()
    if ((highest ?? 0) > value)
      problems.push({
        found: `the counter ${name} is at ${value}, and ${table} has ${highest} already`,
        remedy: restore,
      })
  }
  return problems
}
