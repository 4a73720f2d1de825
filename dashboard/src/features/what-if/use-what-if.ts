import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import { levelOf, type Settings } from '../../managed/settings.ts'
import { thresholds as named } from '../../managed/words.ts'
import { useTimeRange } from '../../ui/time-range.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'

/** A paranoia level and a threshold. */
export interface CellPlace {
  readonly level: number
  readonly threshold: number
}

/** Thresholds that somebody may ask for beside Low, Medium and High and the one that is deployed. */
const ownMax = 6

/** What is deployed now; undefined when that is no cell: not deployed, or levels that are switched one by one. */
export function deployedPlace(base: Settings): CellPlace | undefined {
  const level = levelOf(base)
  return base.deployed && level !== undefined ? { level, threshold: base.threshold } : undefined
}

/** Columns of the matrix: in the address are those that somebody added. */
export function useThresholds(base: Settings) {
  const [text, setText] = useUrlState('thresholds')
  const own = useMemo(() => readThresholds(text), [text])
  const all = useMemo(() => {
    const deployed = base.deployed ? [base.threshold] : []
    return [...new Set([...named.map(({ value }) => value), ...deployed, ...own])].sort((a, b) => b - a)
  }, [own, base.deployed, base.threshold])
  return {
    all,
    own,
    isFull: own.length >= ownMax,
    add: (threshold: number) => setText([...own, threshold].join()),
    remove: (threshold: number) => setText(own.filter(each => each !== threshold).join()),
  }
}

function readThresholds(text: string): readonly number[] {
  const numbers = text.split(',').filter(part => /^[1-9]\d{0,5}$/.test(part))
  return [...new Set(numbers.map(Number))].slice(0, ownMax)
}

/** The cell that the address names, such as `2-25`. */
export function useChosenCell() {
  const [text, setText] = useUrlState('cell')
  const [, level, threshold] = /^([1-4])-([1-9]\d{0,5})$/.exec(text) ?? []
  const place = useMemo(
    () => (threshold === undefined ? undefined : { level: Number(level), threshold: Number(threshold) }),
    [level, threshold],
  )
  return { place, choose: (next: CellPlace) => setText(`${next.level}-${next.threshold}`) }
}

export function isSame(a: CellPlace | undefined, b: CellPlace | undefined): boolean {
  return a !== undefined && a.level === b?.level && a.threshold === b.threshold
}

const everyMs = 30_000

export function useMatrix(zoneId: string, thresholds: readonly number[]) {
  const { since, until } = useTimeRange()
  return useRead(
    'GET /zones/{zone_id}/security/what_if',
    { path: { zone_id: zoneId }, query: { since, until, thresholds: thresholds.join() } },
    { everyMs, keepPrevious: true },
  )
}

export function useCell(zoneId: string, { level, threshold }: CellPlace) {
  const { since, until } = useTimeRange()
  return useRead(
    'GET /zones/{zone_id}/security/what_if/cell',
    { path: { zone_id: zoneId }, query: { since, until, paranoia_level: level, threshold } },
    { everyMs },
  )
}
