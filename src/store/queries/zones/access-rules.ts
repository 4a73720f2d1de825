import { type Expression, type SqlBool, sql } from 'kysely'
import type { AccessRule, EnforcedAccessRule } from '../../../model/access-rule.ts'
import type { Scope } from '../../../model/resource.ts'
import { accessRuleLimits } from '../../limits.ts'
import type { AccessRuleQuery } from '../../port/access-rules.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { AccessRuleRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { ownerColumn, ownerColumns, ownerOf } from '../owner.ts'
import { ownerRow } from '../write-locks.ts'

export function accessRuleQueries(transactions: Transactions): Store['accessRules'] {
  return {
    list: (scope, query) => transactions.read(db => found(db, scope, query)),
    get: (scope, id) => transactions.read(db => stored(db, scope, id)),
    insert: (rule, audit) =>
      transactions.write(ownerRow(rule.scope), async tx => {
        const total = await countOf(tx, rule.scope)
        if (total >= accessRuleLimits.accessRulesMax)
          throw new StoreError('full', `${rule.scope.kind} ${rule.scope.id} has ${total} access rules`)
        await tx.insertInto('access_rules').values(rowOf(rule)).execute()
        await written(tx, rule)
        await writeAudit(tx, audit)
      }),
    update: (rule, audit, basis) =>
      transactions.write(ownerRow(rule.scope), async tx => {
        await requireStored(tx, basis.before)
        const { mode, notes, search_text, modified_on } = rowOf(rule)
        await tx
          .updateTable('access_rules')
          .set({ mode, notes, search_text, modified_on })
          .where('id', '=', rule.id)
          .execute()
        await written(tx, rule)
        await writeAudit(tx, audit)
      }),
    delete: (audit, { before }) =>
      transactions.write(ownerRow(before.scope), async tx => {
        await requireStored(tx, before)
        await tx.deleteFrom('access_rules').where('id', '=', before.id).execute()
        await announce(tx, 'access_rules', before.scope.id)
        await writeAudit(tx, audit)
      }),
    page: (afterId, limit) =>
      transactions.read(async db => {
        const rows = await enforced(db).where('id', '>', afterId).orderBy('id').limit(limit).execute()
        return rows.map(enforcedOf)
      }),
    pageOf: (scope, afterKey, limit) =>
      transactions.read(async db => {
        const rows = await enforced(db)
          .where(ownerColumn(scope), '=', scope.id)
          .where('key', '>', afterKey)
          .orderBy('key')
          .limit(limit)
          .execute()
        return rows.map(enforcedOf)
      }),
    writtenAfter: (scope, revision, limit) =>
      transactions.read(async db => {
        const rows = await enforced(db)
          .where(ownerColumn(scope), '=', scope.id)
          .where('revision', '>', revision)
          .orderBy('revision')
          .limit(limit)
          .execute()
        return { rules: rows.map(enforcedOf), count: await countOf(db, scope) }
      }),
  }
}

const enforcedColumns = ['id', 'account_id', 'zone_id', 'target', 'key', 'mode', 'notes', 'revision'] as const

function enforced(db: Tx) {
  return db.selectFrom('access_rules').select(enforcedColumns)
}

async function found(
  db: Tx,
  scope: Scope,
  { filter, match, order, direction, offset, limit }: AccessRuleQuery,
): ReturnType<Store['accessRules']['list']> {
  const { mode, target, key, notes } = filter
  const matching = db
    .selectFrom('access_rules')
    .where(ownerColumn(scope), '=', scope.id)
    .where(({ eb, and, or }) => {
      const conditions: Expression<SqlBool>[] = []
      if (mode !== undefined) conditions.push(eb('mode', '=', mode))
      if (target !== undefined) conditions.push(eb('target', '=', target))
      if (key !== undefined) conditions.push(eb('key', '=', key))
      if (notes !== undefined) conditions.push(notesContain(notes))
      if (conditions.length === 0) return sql<SqlBool>`1 = 1`
      return match === 'any' ? or(conditions) : and(conditions)
    })
  const { total } = await matching
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy(order, direction)
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
  return { rules: rows.map(ruleOf), total }
}

/** LIKE is not used: its escapes differ between the dialects. */
function notesContain(part: string): Expression<SqlBool> {
  const text = searchText(part)
  return text === '' ? sql<SqlBool>`1 = 1` : sql<SqlBool>`replace(search_text, ${text}, '') <> search_text`
}

/** PostgreSQL stores no NUL. */
function searchText(notes: string): string {
  return notes.toLowerCase().toWellFormed().replaceAll('\0', '')
}

async function stored(db: Tx, scope: Scope, id: string): Promise<AccessRule | undefined> {
  const row = await db
    .selectFrom('access_rules')
    .selectAll()
    .where('id', '=', id)
    .where(ownerColumn(scope), '=', scope.id)
    .executeTakeFirst()
  return row && ruleOf(row)
}

async function countOf(db: Tx, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('access_rules')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(ownerColumn(scope), '=', scope.id)
    .executeTakeFirstOrThrow()
  return count
}

function requireStored(tx: Tx, before: AccessRule): Promise<void> {
  const { scope, id } = before
  return requireBasis<AccessRule | undefined>({ before }, `access rule ${id}`, () => stored(tx, scope, id))
}

/** Announces a rule that was written. Its revision is the sequence of the entry. */
async function written(tx: Tx, { id, scope }: AccessRule): Promise<void> {
  const revision = await announce(tx, 'access_rules', scope.id)
  await tx.updateTable('access_rules').set({ revision }).where('id', '=', id).execute()
}

function rowOf({
  id,
  scope,
  target,
  value,
  key,
  mode,
  notes,
  createdOn,
  modifiedOn,
}: AccessRule): AccessRuleRow {
  return {
    id,
    ...ownerColumns(scope),
    revision: 0,
    target,
    value,
    key,
    mode,
    notes: JSON.stringify(notes),
    search_text: searchText(notes),
    created_on: createdOn,
    modified_on: modifiedOn,
  }
}

function ruleOf(row: AccessRuleRow): AccessRule {
  const { id, target, value, key, mode, notes, created_on: createdOn, modified_on: modifiedOn } = row
  return {
    id,
    scope: ownerOf(row),
    target,
    value,
    key,
    mode,
    notes: JSON.parse(notes) as string,
    createdOn,
    modifiedOn,
  }
}

function enforcedOf(row: Pick<AccessRuleRow, (typeof enforcedColumns)[number]>): EnforcedAccessRule {
  const { id, target, key, mode, notes, revision } = row
  return { id, ownerId: ownerOf(row).id, target, key, mode, notes: JSON.parse(notes) as string, revision }
}
