import { nextTurn } from '../../kit/turns.ts'
import { AccessTable } from '../../rulesets/index.ts'
import type { Store } from '../../store/index.ts'
import { planTableLimits } from '../limits.ts'

/** Keeps the table of access rules as the database has them. */
export class PlanAccessRules {
  readonly table = new AccessTable()
  readonly #rules: Store['accessRules']

  constructor(rules: Store['accessRules']) {
    this.#rules = rules
  }

  /**
   * Reads all rules again. The known ones act until then.
   * @param ownerId only those of one account or zone
   */
  async readAll(ownerId?: string): Promise<void> {
    const next = new AccessTable()
    const size = planTableLimits.accessRulesPerPage
    for (let after = ''; ; ) {
      const page = await this.#rules.page(after, size, ownerId)
      next.put(page)
      if (page.length < size) break
      after = page.at(-1)!.id
      await nextTurn()
    }
    this.table.take(next, ownerId)
  }

  /** The rules of an account or a zone have changed. Reads the new ones; when others are gone, all of them. */
  async reread(ownerId: string): Promise<void> {
    const { rules, count } = await this.#rules.writtenAfter(ownerId, this.table.revision(ownerId))
    this.table.put(rules)
    if (this.table.count(ownerId) !== count) await this.readAll(ownerId)
  }

  /** The account or the zone is gone. */
  forget(ownerId: string): void {
    this.table.take(new AccessTable(), ownerId)
  }
}
