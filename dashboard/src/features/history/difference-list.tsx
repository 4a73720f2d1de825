import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { MemberDifference, RulesetDifference } from '../../domain/history/compare.ts'
import { type HistoryRule, ruleName } from '../../domain/history/documents.ts'
import { type ExecuteRule, type ManagedRuleset, owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { deploymentDifferences } from '../../domain/ruleset/owasp/sentences.ts'
import classes from './difference-list.module.css'
import { useManagedNames } from './use-managed-names.ts'
import type { HistoryScope } from './use-rulesets.ts'

interface Props {
  readonly scope: HistoryScope
  readonly difference: RulesetDifference
}

/** Differences shown at first and added by each click: versions of a thousand rules can differ in many. */
const step = 100

/** Differences between two versions, rule by rule. */
export function DifferenceList({ scope, difference }: Props) {
  const { description, added, removed, changed, moved } = difference
  const touched = [...added, ...removed, ...changed.map(({ after }) => after)]
  const managed = useManagedNames(scope, touched.some(isDeployment))
  const [limit, setLimit] = useState(step)
  const items = [
    ...(description === undefined
      ? []
      : [
          <Item key="description" kind="Changed" title="Ruleset description">
            <Members members={[description]} />
          </Item>,
        ]),
    ...added.map(rule => (
      <Item key={`added ${rule.id}`} kind="Added" title={ruleName(rule)}>
        <Sentences lines={managedLines(undefined, rule, managed) ?? outline(rule)} />
      </Item>
    )),
    ...removed.map(rule => (
      <Item key={`removed ${rule.id}`} kind="Removed" title={ruleName(rule)}>
        <Sentences lines={managedLines(rule, undefined, managed) ?? outline(rule)} />
      </Item>
    )),
    ...changed.map(({ before, after, members }) => (
      <Item key={`changed ${after.id}`} kind="Changed" title={ruleName(after)}>
        <ChangedRule lines={managedLines(before, after, managed)} members={members} />
      </Item>
    )),
    ...moved.map(({ rule, from, to }) => (
      <Item key={`moved ${rule.id}`} kind="Moved" title={ruleName(rule)}>
        <Sentences lines={[`From position ${from} to position ${to}.`]} />
      </Item>
    )),
  ]
  const hidden = items.length - limit
  return (
    <Stack gap="xs">
      <Stack gap="xs" component="ul" aria-label="Differences" p={0} m={0} style={{ listStyle: 'none' }}>
        {items.slice(0, limit)}
      </Stack>
      {hidden > 0 ? (
        <Button variant="default" size="compact-sm" w="fit-content" onClick={() => setLimit(limit + step)}>
          Show more ({hidden.toLocaleString()} hidden)
        </Button>
      ) : null}
    </Stack>
  )
}

/** In words where words say it all. */
function ChangedRule({
  lines,
  members,
}: {
  readonly lines: readonly string[] | undefined
  readonly members: readonly MemberDifference[]
}) {
  const inWords = lines !== undefined && lines.length > 0
  const rest = inWords
    ? members.filter(({ member }) => !/^(expression|enabled|action_parameters)(\.|$)/.test(member))
    : members
  return (
    <>
      {inWords ? <Sentences lines={lines} /> : null}
      {rest.length > 0 ? <Members members={rest} /> : null}
    </>
  )
}

const colors = { Added: 'teal', Removed: 'red', Changed: 'brand', Moved: 'gray' } as const

function Item({
  kind,
  title,
  children,
}: {
  readonly kind: keyof typeof colors
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <li className={classes['item']}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge
          size="sm"
          variant="outline"
          color={colors[kind]}
          c={`var(--mantine-color-text)`}
          flex="none"
          mt={2}
        >
          {kind}
        </Badge>
        <Text size="sm" fw={550} className="wrap">
          {title}
        </Text>
      </Group>
      {children}
    </li>
  )
}

function Sentences({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <ul className={classes['members']}>
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Members({ members }: { readonly members: readonly MemberDifference[] }) {
  return (
    <ul className={classes['members']}>
      {members.map(({ member, from, to }) => (
        <li key={member}>
          {member}:{' '}
          {from === undefined ? (
            'none'
          ) : (
            <del className={classes['from']}>{from === '' ? 'empty' : from}</del>
          )}{' '}
          → {to === undefined ? 'none' : <ins className={classes['to']}>{to === '' ? 'empty' : to}</ins>}
        </li>
      ))}
    </ul>
  )
}

function outline({ action, expression, description, enabled }: HistoryRule): readonly string[] {
  return [
    `Action: ${action}${enabled === false ? ', disabled' : ''}`,
    ...(description && expression !== undefined ? [`Expression: ${expression}`] : []),
  ]
}

function isDeployment({ action, action_parameters }: HistoryRule): boolean {
  return (
    action === 'execute' && (action_parameters as { readonly id?: string } | undefined)?.id === owaspRulesetId
  )
}

/** Undefined for rules that do not execute the OWASP ruleset. */
function managedLines(
  before: HistoryRule | undefined,
  after: HistoryRule | undefined,
  ruleset: ManagedRuleset | undefined,
): readonly string[] | undefined {
  if (ruleset === undefined || ![before, after].every(rule => rule === undefined || isDeployment(rule)))
    return undefined
  return deploymentDifferences(before as ExecuteRule | undefined, after as ExecuteRule | undefined, ruleset)
}
