import type { JsonObject, List, ListKind } from '../model/resource.ts'
import { type ListLookup, type ListTest, listTest, listType } from '../rulesets/index.ts'

/** Reads what is in a list. */
type ReadContents = (listId: string) => Promise<readonly JsonObject[]>

/**
 * The custom lists that plans ask about. What a plan holds is a test that looks at the content of the moment, so that a
 * change of a list's items leaves all plans as they are. Lists that no rule names are not read.
 */
export class PlanLists {
  readonly #read: ReadContents
  readonly #byId = new Map<string, HeldList>()
  readonly #unread = new Set<HeldList>()

  constructor(read: ReadContents) {
    this.#read = read
  }

  /** The lists of one account by name. A list that is asked for is to be read: see `readNamed`. */
  lookUp(lists: readonly List[]): ListLookup {
    const byName = new Map(lists.map(list => [list.name, list]))
    return (name, type) => {
      const list = byName.get(name)
      return list === undefined || listType(list.kind) !== type ? undefined : this.#hold(list).test
    }
  }

  /** To be called before a plan that was built is used. @throws what reading a list throws */
  async readNamed(): Promise<void> {
    for (const held of this.#unread) await this.#fill(held)
  }

  /** The items of a list have changed. */
  async reread(listId: string): Promise<void> {
    const held = this.#byId.get(listId)
    if (held !== undefined) await this.#fill(held)
  }

  /** These lists are gone. */
  forget(lists: readonly List[]): void {
    for (const { id } of lists) this.#byId.delete(id)
  }

  async #fill(held: HeldList): Promise<void> {
    held.contains = listTest(held.kind, await this.#read(held.id))
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

class HeldList {
  readonly id: string
  readonly kind: ListKind
  contains: ListTest = () => false
  readonly test: ListTest = value => this.contains(value)

  constructor(id: string, kind: ListKind) {
    this.id = id
    this.kind = kind
  }
}
