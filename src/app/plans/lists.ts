import { nextTurn } from '../../kit/turns.ts'
import type { JsonObject, List, ListKind } from '../../model/resource.ts'
import {
  type ListLookup,
  type ListTest,
  listTest,
  listType,
  type RedirectList,
  type RedirectLookup,
  RedirectTable,
} from '../../rulesets/index.ts'
import { planTableLimits } from '../limits.ts'

/** Reads the items of a list. */
type ReadContents = (listId: string) => Promise<readonly JsonObject[]>

/**
 * The custom lists that plans use. A plan contains a test that reads the current items of a list, so that a change of
 * items leaves all plans as they are. Lists that no rule names are not read.
 */
export class PlanLists {
  readonly #read: ReadContents
  readonly #byId = new Map<string, HeldList>()
  readonly #unread = new Set<HeldList>()

  constructor(read: ReadContents) {
    this.#read = read
  }

  /** The lists of one account by name. `readNamed` reads the lists that were asked for. */
  lookUp(lists: readonly List[]): { readonly lists: ListLookup; readonly redirectLists: RedirectLookup } {
    const byName = new Map(lists.map(list => [list.name, list]))
    return {
      lists: (name, type) => {
        const list = byName.get(name)
        return list === undefined || listType(list.kind) !== type ? undefined : this.#hold(list).test
      },
      redirectLists: name => {
        const list = byName.get(name)
        return list?.kind === 'redirect' ? this.#hold(list).redirects : undefined
      },
    }
  }

  /** To be called before a new plan is used. @throws as reading a list */
  async readNamed(): Promise<void> {
    for (const held of this.#unread) await this.#fill(held)
  }

  /** The items of a list have changed. */
  async reread(listId: string): Promise<void> {
    const held = this.#byId.get(listId)
    if (held !== undefined) await this.#fill(held)
  }

  /** The items of any list may have changed. */
  async rereadAll(): Promise<void> {
    for (const held of this.#byId.values()) await this.#fill(held)
  }

  /** These lists were deleted. */
  forget(lists: readonly List[]): void {
    for (const { id } of lists) this.#byId.delete(id)
  }

  async #fill(held: HeldList): Promise<void> {
    const contents = await this.#read(held.id)
    if (held.kind === 'redirect') held.table = await redirectTable(contents)
    else held.contains = listTest(held.kind, contents)
    this.#unread.delete(held)
  }

  #hold({ id, kind }: List): HeldList {
    let held = this.#byId.get(id)
    if (held === undefined) {
      held = new HeldList(id, kind)
      this.#byId.set(id, held)
      this.#unread.add(held)
    }
    return held
  }
}

/** Built aside in slices, so that requests do not wait for a long list. */
async function redirectTable(contents: readonly JsonObject[]): Promise<RedirectTable> {
  const table = new RedirectTable()
  for (const [at, content] of contents.entries()) {
    if (at % planTableLimits.redirectsPerSlice === planTableLimits.redirectsPerSlice - 1) await nextTurn()
    table.add(content)
  }
  return table
}

class HeldList {
  readonly id: string
  readonly kind: ListKind
  contains: ListTest = value => this.table.find(String(value)) !== undefined
  readonly test: ListTest = value => this.contains(value)
  table = new RedirectTable()
  readonly redirects: RedirectList = { find: url => this.table.find(url) }

  constructor(id: string, kind: ListKind) {
    this.id = id
    this.kind = kind
  }
}
