import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import { levelOf, type Settings } from '../../domain/ruleset/owasp/settings.ts'
import { thresholds as named } from '../../domain/ruleset/owasp/words.ts'
import { useTimeRange } from '../../ui/address/time-range.tsx'
import { useUrlState } from '../../ui/address/use-url-state.ts'

/** A paranoia level and a threshold. */
export interface CellPosition {
  readonly level: number
  readonly threshold: number
}

/** Maximum number of custom thresholds besides Low, Medium, High and the deployed one. */
const ownMax = 6

/** The deployed cell; undefined when not deployed or with custom levels. */
export function deployedPosition(base: Settings): CellPosition | undefined {
  const level = levelOf(base)
  return base.deployed && level !== undefined ? { level, threshold: base.threshold } : undefined
}

/** Columns of the matrix; custom thresholds are in the address. */
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

/** The cell in the address, such as `2-25`. */
export function useChosenCell() {
  const [text, setText] = useUrlState('cell')
  const [, level, threshold] = /^([1-4])-([1-9]\d{0,5})$/.exec(text) ?? []
  const position = useMemo(
    () => (threshold === undefined ? undefined : { level: Number(level), threshold: Number(threshold) }),
    [level, threshold],
  )
  return { position, choose: (next: CellPosition) => setText(`${next.level}-${next.threshold}`) }
}

export function isSame(a: CellPosition | undefined, b: CellPosition | undefined): boolean {
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

export function useCell(zoneId: string, { level, threshold }: CellPosition) {
  const { since, until } = useTimeRange()
  return useRead(
    'GET /zones/{zone_id}/security/what_if/cell',
    { path: { zone_id: zoneId }, query: { since, until, paranoia_level: level, threshold } },
    { everyMs },
  )
}
