import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { WhatIf } from '../../api/types.ts'
import { thresholds as named } from '../../domain/ruleset/owasp/words.ts'
import { Tooltip } from '../../ui/controls/tooltip.tsx'
import { TrashIcon } from '../../ui/display/icons.tsx'
import { heatOf, percentText } from './figures.ts'
import classes from './matrix-table.module.css'
import { type CellPosition, isSame } from './use-what-if.ts'

interface Props {
  readonly matrix: WhatIf
  readonly chosen: CellPosition | undefined
  readonly deployed: CellPosition | undefined
  /** Removable thresholds. */
  readonly removable: readonly number[]
  onChoose(position: CellPosition): void
  onRemove(threshold: number): void
}

/** Paranoia levels by thresholds. Keyboard: Tab enters, arrow keys move, Enter selects. */
export function MatrixTable({ matrix, chosen, deployed, removable, onChoose, onRemove }: Props) {
  const reachable = chosen ?? deployed ?? { level: 1, threshold: matrix.thresholds[0] ?? 0 }
  const isShown = matrix.thresholds.includes(reachable.threshold)
  const tabbed = isShown ? reachable : { level: 1, threshold: matrix.thresholds[0] ?? 0 }
  return (
    <div className={classes['frame']}>
      <table
        className={classes['table']}
        style={{ minWidth: `${2.75 + 3.75 * matrix.thresholds.length}rem` }}
        aria-label="Sampled requests that would be mitigated, by paranoia level and score threshold"
        onKeyDown={moveFocus}
      >
        <thead>
          <tr>
            <td />
            {matrix.thresholds.map(threshold => (
              <th key={threshold} scope="col">
                {columnTitle(threshold)}
                {removable.includes(threshold) ? (
                  <RemoveButton threshold={threshold} onRemove={onRemove} />
                ) : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.levels.map(({ paranoia_level: level, cells }) => (
            <tr key={level}>
              <th scope="row">PL{level}</th>
              {cells.map(cell => {
                const position = { level, threshold: cell.threshold }
                return (
                  <td key={cell.threshold}>
                    <CellButton
                      position={position}
                      cell={cell}
                      isTabbed={isSame(position, tabbed)}
                      isChosen={isSame(position, chosen)}
                      isDeployed={isSame(position, deployed)}
                      onChoose={onChoose}
                    />
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

interface RemoveProps {
  readonly threshold: number
  onRemove(threshold: number): void
}

function RemoveButton({ threshold, onRemove }: RemoveProps) {
  return (
    <Tooltip label={`Remove column ${threshold}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="xs"
        ml={4}
        aria-label={`Remove column ${threshold}`}
        onClick={() => onRemove(threshold)}
      >
        <TrashIcon size={12} />
      </ActionIcon>
    </Tooltip>
  )
}

interface CellProps {
  readonly position: CellPosition
  readonly cell: WhatIf['levels'][number]['cells'][number]
  readonly isTabbed: boolean
  readonly isChosen: boolean
  readonly isDeployed: boolean
  onChoose(position: CellPosition): void
}

function CellButton({ position, cell, isTabbed, isChosen, isDeployed, onChoose }: CellProps) {
  const { level, threshold } = position
  const { acted_on, share } = cell
  return (
    <UnstyledButton
      className={classes['cell']}
      style={{
        background: `color-mix(in srgb, var(--sluice-bad) ${heatOf(share)}%, transparent)`,
      }}
      tabIndex={isTabbed ? 0 : -1}
      aria-pressed={isChosen}
      data-cell={`${level}-${threshold}`}
      onClick={() => onChoose(position)}
    >
      <VisuallyHidden>
        PL{level} at {columnTitle(threshold)}:{' '}
      </VisuallyHidden>
      <span className={classes['count']}>{acted_on.toLocaleString()}</span>
      <VisuallyHidden> samples, </VisuallyHidden>
      <span className={classes['share']}>{percentText(share)}</span>
      {isDeployed ? <span className={classes['now']}>now</span> : null}
    </UnstyledButton>
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
