import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

/** The cheap round of the garbage collector, which looks at what is new only. Objects that survive two of them become old. */
export function collectNew(): void {
  collect({ type: 'minor' })
}

/** A whole collection. Everything that is still in use becomes old. */
export function collectAll(): void {
  collect()
}

/** Bytes of what only a whole collection looks at. */
export function oldBytes(): number {
  return getHeapSpaceStatistics().find(space => space.space_name === 'old_space')!.space_used_size
}
