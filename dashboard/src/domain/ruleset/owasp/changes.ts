import type { Level, Settings } from './settings.ts'
import { levelOf } from './settings.ts'

/** `default`: no override. */
export type Switch = 'on' | 'off' | 'default'

/** A draft: differences from the deployed settings. It applies to the newest version. */
export interface Changes
  extends Partial<
    Pick<
      Settings,
      'deployed' | 'enabled' | 'expression' | 'threshold' | 'action' | 'acts' | 'publicKey' | 'version'
    >
  > {
  readonly level?: Level
  readonly rules?: ReadonlyMap<string, Switch>
  readonly tags?: ReadonlyMap<string, Switch>
}

export const noChanges: Changes = {}

/** The changes without those already in effect. */
export function realChanges(base: Settings, changes: Changes): Changes {
  const real: { -readonly [Name in keyof Changes]: Changes[Name] } = {}
  for (const name of scalars) {
    const value = changes[name]
    if (value !== undefined && value !== base[name]) Object.assign(real, { [name]: value })
  }
  if (changes.level !== undefined && changes.level !== levelOf(base)) real.level = changes.level
  const rules = realSwitches(base.rules, changes.rules)
  const tags = realSwitches(base.tags, changes.tags)
  if (rules.size > 0) real.rules = rules
  if (tags.size > 0) real.tags = tags
  return real
}

export function isEmpty(changes: Changes): boolean {
  return Object.keys(changes).length === 0
}

export function applyChanges(base: Settings, changes: Changes): Settings {
  const { level, rules, tags, ...scalar } = changes
  return {
    ...base,
    ...scalar,
    levels:
      level === undefined
        ? base.levels
        : ([1, 2, 3, 4].map(each => each <= level) as unknown as Settings['levels']),
    rules: switched(base.rules, rules),
    tags: switched(base.tags, tags),
  }
}

const scalars = [
  'deployed',
  'enabled',
  'expression',
  'threshold',
  'action',
  'acts',
  'publicKey',
  'version',
] as const

export function switchOf(base: ReadonlyMap<string, boolean>, key: string): Switch {
  const on = base.get(key)
  return on === undefined ? 'default' : on ? 'on' : 'off'
}

function realSwitches(base: ReadonlyMap<string, boolean>, changes: ReadonlyMap<string, Switch> = new Map()) {
  return new Map([...changes].filter(([key, to]) => switchOf(base, key) !== to))
}

function switched(base: ReadonlyMap<string, boolean>, changes: ReadonlyMap<string, Switch> = new Map()) {
  const result = new Map(base)
  for (const [key, to] of changes) {
    if (to === 'default') result.delete(key)
    else result.set(key, to === 'on')
  }
  return result
}
