import { asciiLower } from '../kit/ascii.ts'
import { CidrSet, listedBlock } from '../kit/cidr.ts'
import type { JsonObject, List, ListKind } from '../model/resource.ts'
import type { ListLookup, ListTest } from '../rulesets/index.ts'

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
      return list === undefined || types[list.kind] !== type ? undefined : this.#hold(list).test
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
    held.contains = testOf(held.kind, await this.#read(held.id))
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

/** Rules cannot ask whether something is in a list of redirects. */
const types: Readonly<Record<ListKind, 'Ip' | 'Bytes' | 'Int' | undefined>> = {
  ip: 'Ip',
  hostname: 'Bytes',
  asn: 'Int',
  redirect: undefined,
}

function testOf(kind: ListKind, contents: readonly JsonObject[]): ListTest {
  if (kind === 'ip') {
    const blocks = contents.map(({ ip }) => listedBlock(String(ip))).filter(block => block !== undefined)
    const set = new CidrSet(blocks)
    return value => typeof value === 'string' && set.has(value)
  }
  if (kind === 'asn') {
    const numbers = new Set(contents.map(({ asn }) => asn as unknown))
    return value => numbers.has(value)
  }
  return kind === 'hostname' ? hostnameTest(contents) : () => false
}

interface HostnameItem {
  readonly hostname?: { readonly url_hostname: string; readonly exclude_exact_hostname?: boolean }
}

/**
 * `*.example.com` are the names below that one; with `exclude_exact_hostname: false` also that one itself.
 * @source Cloudflare API, list items
 */
function hostnameTest(contents: readonly JsonObject[]): ListTest {
  const exact = new Set<string>()
  const below = new Set<string>()
  for (const { hostname } of contents as readonly HostnameItem[]) {
    if (hostname === undefined) continue
    const name = asciiLower(hostname.url_hostname)
    if (!name.startsWith('*.')) exact.add(name)
    else {
      below.add(name.slice(2))
      if (hostname.exclude_exact_hostname === false) exact.add(name.slice(2))
    }
  }
  return value => {
    const name = asciiLower(String(value))
    if (exact.has(name)) return true
    if (below.size === 0) return false
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (below.has(name.slice(dot + 1))) return true
    }
    return false
  }
}
