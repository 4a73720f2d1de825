/** Something that gets a name in a configuration. */
export interface Named {
  /** Its name for people. */
  readonly label: string
  /** Unique among its kind. */
  readonly id: string
}

/**
 * Names of resources: letters of the label, and the id too where labels are the same. A name depends on no order, so
 * the next export has the same names.
 */
export function uniqueNames(all: readonly Named[]): readonly string[] {
  const count = new Map<string, number>()
  for (const { label } of all) count.set(word(label), (count.get(word(label)) ?? 0) + 1)
  const taken = new Set<string>([...count].filter(([, times]) => times === 1).map(([name]) => name))
  return all.map(({ label, id }) => {
    if (count.get(word(label)) === 1) return word(label)
    let name = `${word(label)}_${word(id).replace(/^_/, '')}`
    while (taken.has(name)) name += '_'
    taken.add(name)
    return name
  })
}

/** `www.Shop.test (A)` → `www_shop_test_a`. A name begins with a letter or a low line. */
function word(label: string): string {
  const text = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, nameLength)
  return /^[a-z]/.test(text) ? text : `_${text}`
}

const nameLength = 80
