import type {
  AuditEntry,
  Rule,
  Ruleset,
  RulesetKind,
  RulesetPhase,
  RulesetSummary,
  Scope,
} from '../../model/resource.ts'
import { StoreError } from '../port/error.ts'
import type { RulesetBasis } from '../port/rulesets.ts'
import type { Store } from '../port.ts'
import type { RulesetRow } from '../schema.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { writeAudit } from './audit.ts'
import { announce, nextOf } from './changes.ts'
import { ownerColumn, ownerColumns, ownerOf } from './owner.ts'
import { ownerRow } from './write-locks.ts'

export function rulesetQueries(transactions: Transactions): Store['rulesets'] {
  return {
    list: scope =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('rulesets')
          .select(summaryColumns)
          .where(ownerColumn(scope), '=', scope.id)
          .orderBy('position')
          .execute()
        return rows.map(row => summaryOf(scope, row))
      }),
    get: (scope, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('rulesets')
          .selectAll()
          .where('id', '=', id)
          .where(ownerColumn(scope), '=', scope.id)
          .executeTakeFirst()
        return row && rulesetOf(scope, row)
      }),
    all: scope =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('rulesets')
          .selectAll()
          .where(ownerColumn(scope), '=', scope.id)
          .orderBy('position')
          .execute()
        return rows.map(row => rulesetOf(scope, row))
      }),
    namingLists: accountId => transactions.read(db => namingLists(db, accountId)),
    versions: (scope, id) =>
      transactions.read(async db => {
        const rows = await keptVersions(db, scope, id)
          .select(['rulesets.id', 'kind', 'phase', 'kept.version', 'kept.summary'])
          .orderBy('kept.version')
          .execute()
        return rows.map(row => summaryOf(scope, row))
      }),
    version: (scope, id, version) =>
      transactions.read(async db => {
        const row = await keptVersions(db, scope, id)
          .select(['rulesets.id', 'kind', 'phase', 'kept.version', 'kept.summary', 'kept.rules'])
          .where('kept.version', '=', version)
          .executeTakeFirst()
        return row && rulesetOf(scope, row)
      }),
    deleteVersion: (scope, id, version, audit) =>
      transactions.write(ownerRow(scope), tx => deleteVersion(tx, scope, id, version, audit)),
    entryPoint: (scope, phase) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('rulesets')
          .selectAll()
          .where(ownerColumn(scope), '=', scope.id)
          .where('phase', '=', phase)
          .where('kind', 'in', ['root', 'zone'])
          .executeTakeFirst()
        return row && rulesetOf(scope, row)
      }),
    insert: (ruleset, audit, basis) =>
      transactions.write(ownerRow(ruleset.scope), async tx => {
        await requireBasis(transactions, tx, ruleset.scope, basis)
        await insertRuleset(tx, ruleset, audit)
      }),
    update: (ruleset, audit, basis) =>
      transactions.write(ownerRow(ruleset.scope), async tx => {
        await requireBasis(transactions, tx, ruleset.scope, basis)
        await updateRuleset(tx, ruleset, audit)
      }),
    delete: (scope, id, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(transactions, tx, scope, basis)
        const result = await tx
          .deleteFrom('rulesets')
          .where('id', '=', id)
          .where(ownerColumn(scope), '=', scope.id)
          .executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await announce(tx, scope.kind, scope.id)
        await writeAudit(tx, audit)
        return true
      }),
  }
}

/** Rulesets of an account and of its zones that may name a list. */
export async function namingLists(db: Tx, accountId: string): Promise<readonly Ruleset[]> {
  const rows = await db
    .selectFrom('rulesets')
    .leftJoin('zones', 'zones.id', 'rulesets.zone_id')
    .selectAll('rulesets')
    .where(column =>
      column.or([column('rulesets.account_id', '=', accountId), column('zones.account_id', '=', accountId)]),
    )
    .where(column =>
      column.or([
        column('rulesets.rules', 'like', '%$%'),
        column('rulesets.phase', '=', 'http_request_redirect'),
      ]),
    )
    .orderBy('rulesets.position')
    .execute()
  return rows.map(row => rulesetOf(ownerOf(row), row))
}

/** The owner is locked, so its rulesets cannot change; the lists cannot be deleted before this transaction ends. */
async function requireBasis(
  transactions: Transactions,
  tx: Tx,
  scope: Scope,
  basis: RulesetBasis | undefined,
): Promise<void> {
  if (basis === undefined) return
  const rows = await tx
    .selectFrom('rulesets')
    .select(['id', 'version'])
    .where(ownerColumn(scope), '=', scope.id)
    .execute()
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const same = basis.rulesets.every(({ id, version }) => versions.get(id) === version)
  if (!same || versions.size !== basis.rulesets.length)
    throw new StoreError('stale', `the rulesets of ${scope.kind} ${scope.id} were changed meanwhile`)
  if (!(await transactions.keep(tx, 'lists', basis.lists)))
    throw new StoreError('stale', 'a list that the rules name was deleted meanwhile')
}

/** Stored versions of a ruleset, including the newest. */
function keptVersions(db: Tx, scope: Scope, id: string) {
  return db
    .selectFrom('rulesets')
    .innerJoin('ruleset_versions as kept', 'kept.ruleset_id', 'rulesets.id')
    .where('rulesets.id', '=', id)
    .where(ownerColumn(scope), '=', scope.id)
}

/** Old versions run nowhere, so no change entry is needed. */
async function deleteVersion(
  tx: Tx,
  scope: Scope,
  id: string,
  version: number,
  audit: AuditEntry | undefined,
): Promise<boolean> {
  const newest = await tx
    .selectFrom('rulesets')
    .select('version')
    .where('id', '=', id)
    .where(ownerColumn(scope), '=', scope.id)
    .executeTakeFirst()
  if (newest === undefined || newest.version === version) return false
  const { numDeletedRows } = await tx
    .deleteFrom('ruleset_versions')
    .where('ruleset_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await writeAudit(tx, audit)
  return true
}

async function insertRuleset(tx: Tx, ruleset: Ruleset, audit: AuditEntry | undefined): Promise<void> {
  const { scope } = ruleset
  await tx
    .insertInto('rulesets')
    .values({
      id: ruleset.id,
      ...ownerColumns(scope),
      kind: ruleset.kind,
      phase: ruleset.phase,
      position: await nextOf(tx, 'ruleset'),
      ...contentOf(ruleset),
    })
    .execute()
  await keepVersion(tx, ruleset)
  await announce(tx, scope.kind, scope.id)
  await writeAudit(tx, audit)
}

async function updateRuleset(tx: Tx, ruleset: Ruleset, audit: AuditEntry | undefined): Promise<void> {
  const { scope } = ruleset
  const result = await tx
    .updateTable('rulesets')
    .set(contentOf(ruleset))
    .where('id', '=', ruleset.id)
    .where(ownerColumn(scope), '=', scope.id)
    .where('version', '=', ruleset.version - 1)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) {
    throw new StoreError('stale', `ruleset ${ruleset.id} is not at version ${ruleset.version - 1} any more`)
  }
  await keepVersion(tx, ruleset)
  await announce(tx, scope.kind, scope.id)
  await writeAudit(tx, audit)
}

async function keepVersion(tx: Tx, ruleset: Ruleset): Promise<void> {
  await tx
    .insertInto('ruleset_versions')
    .values({ ruleset_id: ruleset.id, ...contentOf(ruleset) })
    .execute()
}

const summaryColumns = ['id', 'kind', 'phase', 'version', 'summary'] as const

/** The columns that an update can change. */
type SummaryText = Pick<Ruleset, 'name' | 'description' | 'lastUpdated' | 'source'>

function contentOf(ruleset: Ruleset): Pick<RulesetRow, 'version' | 'summary' | 'rules'> {
  const { name, description, lastUpdated, source } = ruleset
  const summary: SummaryText = { name, description, lastUpdated, ...(source === undefined ? {} : { source }) }
  return {
    version: ruleset.version,
    summary: JSON.stringify(summary),
    rules: JSON.stringify(ruleset.rules),
  }
}

function summaryOf(scope: Scope, row: Pick<RulesetRow, (typeof summaryColumns)[number]>): RulesetSummary {
  return {
    id: row.id,
    scope: { kind: scope.kind, id: scope.id },
    kind: row.kind as RulesetKind,
    phase: row.phase as RulesetPhase,
    version: row.version,
    ...(JSON.parse(row.summary) as SummaryText),
  }
}

export function rulesetOf(
  scope: Scope,
  row: Pick<RulesetRow, (typeof summaryColumns)[number] | 'rules'>,
): Ruleset {
  return { ...summaryOf(scope, row), rules: JSON.parse(row.rules) as Rule[] }
}
