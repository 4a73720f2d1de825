import type { CustomAsset } from '../../model/custom-asset.ts'
import type { CustomPage } from '../../model/custom-page.ts'
import type { List, Ruleset } from '../../model/resource.ts'
import type { ListLookup, RedirectLookup } from '../../rulesets/index.ts'
import type { PlanLists } from './lists.ts'
import type { PlanSource } from './source.ts'

type AccountSource = Pick<PlanSource, 'rulesets' | 'lists' | 'customPages' | 'customAssets'>

/** The common inputs of the plans of an account's zones. Replaced as a whole, so that results may be cached by it. */
export interface PlanAccount {
  readonly rulesets: readonly Ruleset[]
  readonly lists: ListLookup
  readonly redirectLists: RedirectLookup
  readonly customAssets: readonly CustomAsset[]
  readonly customPages: readonly CustomPage[]
}

interface KnownAccount extends PlanAccount {
  readonly allLists: readonly List[]
  /** Changes whenever plans would differ. */
  readonly content: string
}

/** Accounts by id, each read when the first of its zones is built. */
export class PlanAccounts {
  readonly #store: AccountSource
  readonly #lists: PlanLists
  readonly #known = new Map<string, KnownAccount>()

  constructor(store: AccountSource, lists: PlanLists) {
    this.#store = store
    this.#lists = lists
  }

  async of(id: string): Promise<PlanAccount> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const account = await this.#read(id)
    this.#known.set(id, account)
    return account
  }

  /** Reads an account again. @returns false if no input of plans has changed */
  async reread(id: string): Promise<boolean> {
    const known = this.#known.get(id)
    if (known === undefined) return false
    const account = await this.#read(id)
    if (account.content === known.content) return false
    const kept = new Set(account.allLists.map(list => list.id))
    this.#lists.forget(known.allLists.filter(list => !kept.has(list.id)))
    this.#known.set(id, account)
    return true
  }

  forgetAll(): void {
    this.#known.clear()
  }

  async #read(id: string): Promise<KnownAccount> {
    const [rulesets, allLists, customPages, customAssets] = await Promise.all([
      this.#store.rulesets.all({ kind: 'account', id }),
      this.#store.lists.list(id),
      this.#store.customPages.list({ kind: 'account', id }),
      this.#store.customAssets.list({ kind: 'account', id }),
    ])
    const content = JSON.stringify([
      rulesets.map(ruleset => [ruleset.id, ruleset.version]),
      allLists.map(list => [list.id, list.name]),
      customAssets.map(asset => [asset.name, asset.lastUpdated]),
      customPages.map(page => [page.id, page.state, page.modifiedOn]),
    ])
    const { lists, redirectLists } = this.#lists.lookUp(allLists)
    return { rulesets, allLists, content, customAssets, customPages, lists, redirectLists }
  }
}
