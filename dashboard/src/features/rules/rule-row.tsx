import { Switch } from '@mantine/core'
import { memo, type PointerEvent } from 'react'
import type { Icon } from '../../ui/icons.tsx'
import { CopyIcon, DownIcon, GripIcon, TrashIcon, UpIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { nameOf, type Rule } from './document.ts'
import { readExpiry } from './expiry.ts'
import type { Hits } from './hits.ts'
import classes from './rule-list.module.css'
import { actionShort, describeRule } from './words.ts'

export interface RowActions {
  /** To a place counted from 0. */
  readonly onMove: (rule: Rule, from: number, to: number) => void
  readonly onAskPlace: (rule: Rule, from: number) => void
  readonly onEnable: (rule: Rule, enabled: boolean) => void
  readonly onCopy: (rule: Rule) => void
  readonly onDelete: (rule: Rule) => void
  readonly onGrab: (event: PointerEvent, index: number) => void
}

interface Props {
  readonly rule: Rule
  readonly index: number
  readonly count: number
  /** Of the page, for the address of its form. */
  readonly path: string
  readonly hits: Hits | undefined
  /** Why nothing can be changed: what the token lacks. */
  readonly barred: string | undefined
  /** While the list is searched, places would be those of what was found. */
  readonly movable: boolean
  /** What it is, for rules that another page is about. */
  readonly fixed: { readonly text: string; readonly path: string } | undefined
  readonly actions: RowActions
}

/** One rule of a list. Its controls are plain: a thousand rules are scrolled through. */
export const RuleRow = memo(function RuleRow(props: Props) {
  const { rule, index, count, path, hits, barred, movable, fixed, actions } = props
  const name = nameOf(rule)
  const { expression, endsAt } = readExpiry(rule.expression)
  const detail = describeRule(rule)
  const canMove = movable && barred === undefined && fixed === undefined
  return (
    <>
      {/* With the keyboard there are the buttons. */}
      <span
        className={classes['grip']}
        data-idle={!canMove || undefined}
        aria-hidden="true"
        onPointerDown={event => canMove && actions.onGrab(event, index)}
      >
        <GripIcon size={16} />
      </span>
      <span className={classes['place']}>
        <button
          type="button"
          className={classes['placeButton']}
          aria-label={`${name}: place ${index + 1} of ${count}. Move to another place`}
          aria-disabled={!canMove || undefined}
          onClick={() => canMove && actions.onAskPlace(rule, index)}
        >
          {index + 1}
        </button>
      </span>
      <div className={classes['text']}>
        <div className={classes['name']}>
          {fixed === undefined ? (
            <TextLink to={path} search={{ edit: rule.id }}>
              {name}
            </TextLink>
          ) : (
            <TextLink to={fixed.path}>{name}</TextLink>
          )}
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
      {fixed === undefined ? (
        <>
          <Switch
            className={classes['state'] ?? ''}
            size="sm"
            aria-label={`${name}: on`}
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
      ) : null}
    </>
  )
})

interface ToolProps {
  readonly icon: Icon
  readonly label: string
  readonly barred: boolean
  readonly onClick: () => void
}

/** Stays where the focus is when it has nothing to do any more, such as at the end of the list. */
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
