import type { Token } from '../../api/types.ts'

type Policy = Token['policies'][number]

export interface ResourceWords {
  readonly text: string
  /** Set for a single zone, to look up its name. */
  readonly zoneId?: string
}

/** The resources of a policy, in words. */
export function resourceWords(resources: Policy['resources']): readonly ResourceWords[] {
  return Object.entries(resources).map(([name, value]) => {
    if (typeof value === 'object') return { text: 'All zones of the account' }
    const [, kind, id = ''] = /^com\.cloudflare\.api\.(account\.zone|account|user)\.(.+)$/.exec(name) ?? []
    if (kind === 'account.zone')
      return id === '*' ? { text: 'All zones' } : { text: `Zone ${id}`, zoneId: id }
    if (kind === 'account') return { text: id === '*' ? 'All accounts' : 'The account' }
    if (kind === 'user') return { text: 'The user' }
    return { text: name }
  })
}

/** Names of allowed permission groups, without duplicates. */
export function groupNames({ policies }: Token): readonly string[] {
  const allowed = policies.filter(({ effect }) => effect === 'allow')
  return [...new Set(allowed.flatMap(policy => policy.permission_groups.map(group => group.name)))]
}

/** `Zone WAF Write and 2 more`. */
export function permissionSummary(token: Token): string {
  const [first, ...more] = groupNames(token)
  if (first === undefined) return 'None'
  return more.length === 0 ? first : `${first} and ${more.length} more`
}

/** `All zones, the account`. */
export function resourceSummary({ policies }: Token): string {
  const words = policies.flatMap(({ resources }) => resourceWords(resources))
  const zones = words.filter(({ zoneId }) => zoneId !== undefined).length
  const texts = new Set(words.filter(({ zoneId }) => zoneId === undefined).map(({ text }) => text))
  if (zones > 0) texts.add(zones === 1 ? '1 zone' : `${zones} zones`)
  return [...texts]
    .map((text, at) => (at === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)))
    .join(', ')
}

export const stateWords = {
  active: { tone: 'good', word: 'Active' },
  disabled: { tone: 'warn', word: 'Disabled' },
  expired: { tone: 'none', word: 'Expired' },
} as const satisfies Readonly<Record<Token['status'], { tone: string; word: string }>>
