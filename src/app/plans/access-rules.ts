import { nextTurn } from '../../kit/turns.ts'
import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import type { Scope } from '../../model/resource.ts'
import { AccessTable } from '../../rulesets/index.ts'
import { planTableLimits } from '../limits.ts'
import type { PlanSource } from './source.ts'

/** Keeps the table of access rules as the database has them. */
export class PlanAccessRules {
  readonly table = new AccessTable()
  readonly #rules: PlanSource['accessRules']

  constructor(rules: PlanSource['accessRules']) {
    this.#rules = rules
  }

  /** Reads the rules of all accounts and zones. The known ones act until then. */
  async readAll(): Promise<void> {
    this.table.take(await tableOf((last, limit) => this.#rules.page(last?.id ?? '', limit)))
  }

  /** The rules of an account or a zone have changed. Reads a few new ones; when others are gone, all of them. */
  async reread(scope: Scope): Promise<void> {
    const limit = planTableLimits.accessRulesPerPage
    const { rules, count } = await this.#rules.writtenAfter(scope, this.table.revision(scope.id), limit)
    this.table.put(rules)
    if (rules.length < limit && this.table.count(scope.id) === count) return
    const all = await tableOf((last, size) => this.#rules.pageOf(scope, last?.key ?? '', size))
    this.table.take(all, scope.id)
  }

  /** The account or the zone is gone. */
  forget(ownerId: string): void {
    this.table.take(new AccessTable(), ownerId)
  }
}

/** Reads page by page; other work gets its turn in between. */
async function tableOf(
  read: (last: EnforcedAccessRule | undefined, limit: number) => Promise<readonly EnforcedAccessRule[]>,
): Promise<AccessTable> {
  const table = new AccessTable()
  const size = planTableLimits.accessRulesPerPage
  for (let last: EnforcedAccessRule | undefined; ; ) {
    const page = await read(last, size)
    table.put(page)
    if (page.length < size) return table
    last = page.at(-1)
    await nextTurn()
  }
}
