import { Switch } from '@mantine/core'
import { memo, type PointerEvent } from 'react'
import { nameOf, type Rule } from '../../../domain/ruleset/rules/document.ts'
import { readExpiry } from '../../../domain/ruleset/rules/expiry.ts'
import { actionShort, describeRule } from '../../../domain/ruleset/rules/words.ts'
import { Tooltip } from '../../../ui/controls/tooltip.tsx'
import type { Icon } from '../../../ui/display/icons.tsx'
import { CopyIcon, DownIcon, GripIcon, TrashIcon, UpIcon } from '../../../ui/display/icons.tsx'
import { TextLink } from '../../../ui/page/links.tsx'
import type { Hits } from './hits.ts'
import classes from './rule-list.module.css'

export interface RowActions {
  /** Moves to an index. */
  readonly onMove: (rule: Rule, from: number, to: number) => void
  readonly onAskPosition: (rule: Rule, from: number) => void
  readonly onEnable: (rule: Rule, enabled: boolean) => void
  readonly onCopy: (rule: Rule) => void
  readonly onDelete: (rule: Rule) => void
  readonly onGrab: (event: PointerEvent, index: number) => void
}

interface Props {
  readonly rule: Rule
  readonly index: number
  readonly count: number
  /** Path of the page, for links to the form. */
  readonly path: string
  readonly hits: Hits | undefined
  /** Why editing is disabled: the missing permission. */
  readonly barred: string | undefined
  /** False during a search, when indexes are those of the results. */
  readonly movable: boolean
  /** Text and link of rules that another page manages. */
  readonly fixed: { readonly text: string; readonly path: string } | undefined
  readonly actions: RowActions
}

/** One rule of a list, with plain controls: lists can have a thousand rules. */
export const RuleRow = memo(function RuleRow(props: Props) {
  const { rule, path, hits, barred, movable, fixed } = props
  const name = nameOf(rule)
  const { expression, endsAt } = readExpiry(rule.expression)
  const detail = describeRule(rule)
  const canMove = movable && barred === undefined && fixed === undefined
  return (
    <>
      <PositionButton {...props} name={name} canMove={canMove} />
      <div className={classes['text']}>
        <div className={classes['name']}>
          <NameLink rule={rule} path={path} fixed={fixed} />
          {endsAt === undefined ? null : <Ends at={endsAt} />}
        </div>
        <div className={classes['expression']} title={expression}>
          {fixed?.text ?? expression}
        </div>
      </div>
      <div className={classes['action']}>
        <div>{actionShort(rule.action)}</div>
        {detail === '' ? null : (
          <div className={`${classes['detail']} cut`} title={detail}>
            {detail}
          </div>
        )}
      </div>
      <div className={classes['hits']}>{hits === undefined ? '' : <HitsText hits={hits} />}</div>
      {fixed === undefined ? <Controls {...props} name={name} canMove={canMove} /> : null}
    </>
  )
})

interface ControlProps extends Props {
  readonly name: string
  readonly canMove: boolean
}

function PositionButton({ rule, index, count, actions, name, canMove }: ControlProps) {
  return (
    <>
      {/* The buttons serve keyboard users. */}
      <span
        className={classes['grip']}
        data-idle={!canMove || undefined}
        aria-hidden="true"
        onPointerDown={event => canMove && actions.onGrab(event, index)}
      >
        <GripIcon size={16} />
      </span>
      <span className={classes['position']}>
        <button
          type="button"
          className={classes['positionButton']}
          aria-label={`${name}: position ${index + 1} of ${count}. Move`}
          aria-disabled={!canMove || undefined}
          onClick={() => canMove && actions.onAskPosition(rule, index)}
        >
          {index + 1}
        </button>
      </span>
    </>
  )
}

function NameLink({ rule, path, fixed }: Pick<Props, 'rule' | 'path' | 'fixed'>) {
  const name = nameOf(rule)
  return fixed === undefined ? (
    <TextLink to={path} search={{ edit: rule.id }}>
      {name}
    </TextLink>
  ) : (
    <TextLink to={fixed.path}>{name}</TextLink>
  )
}

function Controls({ rule, index, count, barred, actions, name, canMove }: ControlProps) {
  return (
    <>
      <Switch
        className={classes['state'] ?? ''}
        size="sm"
        aria-label={`Enable ${name}`}
        checked={rule.enabled}
        disabled={barred !== undefined}
        onChange={event => actions.onEnable(rule, event.currentTarget.checked)}
      />
      <div className={classes['tools']}>
        <Tool
          icon={UpIcon}
          label={`Move ${name} up`}
          barred={!canMove || index === 0}
          onClick={() => actions.onMove(rule, index, index - 1)}
        />
        <Tool
          icon={DownIcon}
          label={`Move ${name} down`}
          barred={!canMove || index === count - 1}
          onClick={() => actions.onMove(rule, index, index + 1)}
        />
        <Tool
          icon={CopyIcon}
          label={`Duplicate ${name}`}
          barred={barred !== undefined}
          onClick={() => actions.onCopy(rule)}
        />
        <Tool
          icon={TrashIcon}
          label={`Delete ${name}`}
          barred={barred !== undefined}
          onClick={() => actions.onDelete(rule)}
        />
      </div>
    </>
  )
}

interface ToolProps {
  readonly icon: Icon
  readonly label: string
  readonly barred: boolean
  readonly onClick: () => void
}

/** Keeps the focus when it becomes disabled, such as at the end of the list. */
function Tool({ icon: Icon, label, barred, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className={classes['tool']}
      aria-label={label}
      title={label}
      aria-disabled={barred || undefined}
      onClick={() => barred || onClick()}
    >
      <Icon size={16} />
    </button>
  )
}

function Ends({ at }: { readonly at: number }) {
  const over = at * 1000 <= Date.now()
  const moment = new Date(at * 1000)
  return (
    <span className={classes['ends']} data-over={over || undefined} title={moment.toISOString()}>
      {over ? 'ended' : 'ends'}{' '}
      {moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </span>
  )
}

function HitsText({ hits }: { readonly hits: Hits }) {
  return (
    <Tooltip label={`${hits.week.toLocaleString()} in 7 days`}>
      <span>
        {hits.day.toLocaleString()} <span className={classes['detail']}>in 24 h</span>
      </span>
    </Tooltip>
  )
}
