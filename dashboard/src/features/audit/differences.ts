/** One changed value, such as `rules › No admin › action`; undefined when absent. */
export interface ValueDifference {
  readonly path: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Beyond this number, differences are not listed: both values are shown in full as well. */
export const differencesMax = 100

/** The values that a change touched, in the order of the resource. */
export function differencesOf(before: unknown, after: unknown): readonly ValueDifference[] {
  const found: ValueDifference[] = []
  compare([], before, after, found)
  return found
}

function compare(path: readonly string[], before: unknown, after: unknown, found: ValueDifference[]): void {
  if (found.length >= differencesMax) return
  const [old, now] = [membersOf(before), membersOf(after)]
  if (old !== undefined && now !== undefined) {
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(key), now.get(key)]
      compare([...path, is?.name ?? was?.name ?? key], was?.value, is?.value, found)
    }
    return
  }
  const [from, to] = [textOf(before), textOf(after)]
  if (from !== to) found.push({ path: path.join(' › '), from, to })
}

interface Member {
  readonly name: string
  readonly value: unknown
}

/** Entries of objects, and of lists whose items have ids, so that moved rules match. Undefined for other values. */
function membersOf(value: unknown): ReadonlyMap<string, Member> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value))
    return new Map(Object.entries(value).map(([name, member]) => [name, { name, value: member }]))
  if (value.length === 0 || !value.every(hasId)) return undefined
  return new Map(value.map(item => [item.id, { name: nameOf(item), value: item }]))
}

interface Item {
  readonly id: string
  readonly description?: unknown
}

function hasId(item: unknown): item is Item {
  return typeof (item as Partial<Item> | null)?.id === 'string'
}

function nameOf({ id, description }: Item): string {
  return typeof description === 'string' && description !== '' ? description : id
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
