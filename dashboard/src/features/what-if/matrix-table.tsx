import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { WhatIf } from '../../api/types.ts'
import { thresholds as named } from '../../managed/words.ts'
import { TrashIcon } from '../../ui/icons.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { heatOf, percentText } from './figures.ts'
import classes from './matrix-table.module.css'
import { type CellPlace, isSame } from './use-what-if.ts'

interface Props {
  readonly matrix: WhatIf
  readonly chosen: CellPlace | undefined
  readonly deployed: CellPlace | undefined
  /** Thresholds that can be taken out again. */
  readonly removable: readonly number[]
  onChoose(place: CellPlace): void
  onRemove(threshold: number): void
}

/** Paranoia levels by thresholds. By keyboard: Tab reaches it, arrow keys move, Enter chooses. */
export function MatrixTable({ matrix, chosen, deployed, removable, onChoose, onRemove }: Props) {
  const reachable = chosen ?? deployed ?? { level: 1, threshold: matrix.thresholds[0] ?? 0 }
  const isShown = matrix.thresholds.includes(reachable.threshold)
  const tabbed = isShown ? reachable : { level: 1, threshold: matrix.thresholds[0] ?? 0 }
  return (
    <div className={classes['frame']}>
      <table
        className={classes['table']}
        style={{ minWidth: `${2.75 + 3.75 * matrix.thresholds.length}rem` }}
        aria-label="Sampled requests that would have been acted on, by paranoia level and score threshold"
        onKeyDown={moveFocus}
      >
        <thead>
          <tr>
            <td />
            {matrix.thresholds.map(threshold => (
              <th key={threshold} scope="col">
                {columnTitle(threshold)}
                {removable.includes(threshold) ? (
                  <Tooltip label={`Take the column ${threshold} out`}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      c="dimmed"
                      size="xs"
                      ml={4}
                      aria-label={`Take the column ${threshold} out`}
                      onClick={() => onRemove(threshold)}
                    >
                      <TrashIcon size={12} />
                    </ActionIcon>
                  </Tooltip>
                ) : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.levels.map(({ paranoia_level: level, cells }) => (
            <tr key={level}>
              <th scope="row">PL{level}</th>
              {cells.map(({ threshold, acted_on, share }) => {
                const place = { level, threshold }
                const isDeployed = isSame(place, deployed)
                return (
                  <td key={threshold}>
                    <UnstyledButton
                      className={classes['cell']}
                      style={{
                        background: `color-mix(in srgb, var(--sluice-bad) ${heatOf(share)}%, transparent)`,
                      }}
                      tabIndex={isSame(place, tabbed) ? 0 : -1}
                      aria-pressed={isSame(place, chosen)}
                      data-cell={`${level}-${threshold}`}
                      onClick={() => onChoose(place)}
                    >
                      <VisuallyHidden>
                        PL{level} at {columnTitle(threshold)}:{' '}
                      </VisuallyHidden>
                      <span className={classes['count']}>{acted_on.toLocaleString()}</span>
                      <VisuallyHidden> samples, </VisuallyHidden>
                      <span className={classes['share']}>{percentText(share)}</span>
                      {isDeployed ? <span className={classes['now']}>now</span> : null}
                    </UnstyledButton>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function columnTitle(threshold: number): string {
  const name = named.find(({ value }) => value === threshold)?.name
  return name === undefined ? String(threshold) : `${name} ${threshold}`
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key]
  const cell = event.target instanceof HTMLElement ? event.target.closest('td') : null
  const row = cell?.closest('tr')
  if (step === undefined || cell === null || !(row instanceof HTMLTableRowElement)) return
  const [rows, columns] = step
  const table = event.currentTarget
  const next = table.rows[row.rowIndex + rows]?.cells[cell.cellIndex + columns]
  const button = next?.querySelector<HTMLElement>('[data-cell]')
  event.preventDefault()
  button?.focus()
}
