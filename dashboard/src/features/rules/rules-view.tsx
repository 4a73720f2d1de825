import { Alert, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { AlertIcon, PlusIcon, SearchIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useUrlText } from '../../ui/use-url-text.ts'
import { createCall, deleteCall, enableCall, moveCall } from './calls.ts'
import { copyOf, type Entry, moved, nameOf, positionAt, type Rule } from './document.ts'
import { useHits } from './hits.ts'
import type { PhaseWords } from './phases.ts'
import { PlaceDialog } from './place-dialog.tsx'
import { RuleList } from './rule-list.tsx'
import { useRuleChange } from './use-rules.ts'
import { plural } from './words.ts'

interface ListProps {
  readonly zone: { readonly id: string; readonly name: string }
  readonly words: PhaseWords
  readonly entry: Entry | null
  readonly path: string
  readonly fixed: (rule: Rule) => { readonly text: string; readonly path: string } | undefined
  /** The rule whose form was open before, or `new`. */
  readonly opened: RefObject<string | undefined>
}

/** The list, what can be done with it, and what asks before it is done. */
export function RulesView({ zone, words, entry, path, fixed, opened }: ListProps) {
  const zoneId = zone.id
  const { phase } = words
  const rules = entry?.rules ?? []
  const { typed, setTyped, text: search } = useUrlText('search')
  const [asked, setAsked] = useState<{ readonly rule: Rule; readonly from: number }>()
  const [doomed, setDoomed] = useState<Rule>()
  const [said, setSaid] = useState('')
  const { reason: barred } = useMay('zoneWaf write')
  const hits = useHits(zoneId)
  const [made, setMade] = useState<Call>()
  const change = useRuleChange(zoneId, phase, setMade)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const rule = opened.current
    opened.current = undefined
    const link = box.current?.querySelector<HTMLElement>(`a[href$="edit=${rule}"]`)
    if (rule !== undefined) (link ?? box.current?.querySelector<HTMLElement>('a'))?.focus()
  }, [opened])
  const shown = search === '' ? rules : rules.filter(rule => isFound(rule, search.toLowerCase()))

  // Somebody may press twice before the list is drawn with the first move.
  const order = useRef({ drawn: rules, expected: rules })
  if (order.current.drawn !== rules) order.current = { drawn: rules, expected: rules }
  const move = (rule: Rule, drawnFrom: number, drawnTo: number) => {
    const { expected } = order.current
    const from = expected.findIndex(({ id }) => id === rule.id)
    const to = Math.min(Math.max(from + drawnTo - drawnFrom, 0), expected.length - 1)
    if (from < 0 || to === from) return
    const position = positionAt(expected, from, to)
    order.current = { drawn: rules, expected: moved(expected, from, to) }
    setSaid(`${nameOf(rule)} is at place ${to + 1} of ${expected.length}`)
    change.mutate({
      make: at => moveCall(at, rule.id, position),
      expect: before => moved(before, from, to),
      failed: `“${nameOf(rule)}” was not moved`,
    })
  }
  const enable = (rule: Rule, enabled: boolean) =>
    change.mutate({
      make: at => enableCall(at, at.entry?.rules.find(({ id }) => id === rule.id) ?? rule, enabled),
      expect: before => before.map(other => (other.id === rule.id ? { ...other, enabled } : other)),
      failed: `“${nameOf(rule)}” was not switched ${enabled ? 'on' : 'off'}`,
    })
  const copy = (rule: Rule) =>
    change.mutate({
      make: at => createCall(at, copyOf(rule), { after: rule.id }),
      done: `“${copyOf(rule).description}” is below it, switched off.`,
      failed: `“${nameOf(rule)}” was not duplicated`,
    })
  const remove = (rule: Rule) => {
    setDoomed(undefined)
    setSaid(`${nameOf(rule)} is deleted`)
    change.mutate({
      make: at => deleteCall(at, rule.id),
      expect: before => before.filter(({ id }) => id !== rule.id),
      done: `“${nameOf(rule)}” is deleted. The history of the ruleset has it still.`,
      failed: `“${nameOf(rule)}” was not deleted`,
    })
  }
  const isEmpty = rules.every(rule => fixed(rule) !== undefined)
  const create = (
    <Permitted needs="zoneWaf write">
      {disabled => (
        <LinkButton to={path} search={{ new: '1' }} leftSection={<PlusIcon size={16} />} {...disabled}>
          {words.create}
        </LinkButton>
      )}
    </Permitted>
  )
  return (
    <div ref={box}>
      <PageHeader title={words.title} text={words.text} actions={create} />
      <Stack gap="sm">
        {barred === undefined ? null : (
          <Alert color="gray" icon={<AlertIcon />} title="You can look, and not change anything here">
            {barred}
          </Alert>
        )}
        {rules.length > 0 ? (
          <Group justify="space-between" gap="sm">
            <TextInput
              aria-label="Search rules"
              placeholder="Search names, expressions and ids"
              leftSection={<SearchIcon size={16} />}
              value={typed}
              onChange={event => setTyped(event.currentTarget.value)}
              flex="0 1 26rem"
            />
            <Text size="sm" c="dimmed" role="status">
              {shown.length === rules.length
                ? plural(rules.length, 'rule')
                : `${shown.length} of ${plural(rules.length, 'rule')}`}
              {change.isPending ? ' · saving …' : ''}
              {hits.note === undefined ? '' : `. ${hits.note}`}
            </Text>
          </Group>
        ) : null}
        {shown.length > 0 ? (
          <RuleList
            label={`${words.title} of ${zone.name}, in order`}
            rules={rules}
            shown={shown}
            path={path}
            hits={hits.of}
            barred={barred}
            fixed={fixed}
            actions={{
              onMove: move,
              onAskPlace: (rule, from) => setAsked({ rule, from }),
              onEnable: enable,
              onCopy: copy,
              onDelete: setDoomed,
            }}
          />
        ) : rules.length > 0 ? (
          <EmptyState title="No rule has this in it" text="Search for a shorter part of it." />
        ) : null}
        {made === undefined ? null : <ApiCall call={made} title="The last change as an API call" />}
        {isEmpty ? <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} /> : null}
        {rules.length > 1 && shown.length < rules.length ? (
          <Text size="xs" c="dimmed">
            Rules can be moved when all of them are shown.
          </Text>
        ) : null}
      </Stack>
      <VisuallyHidden aria-live="polite" role="status">
        {said}
      </VisuallyHidden>
      <PlaceDialog
        asked={asked && { name: nameOf(asked.rule), place: asked.from + 1 }}
        count={rules.length}
        onClose={() => setAsked(undefined)}
        onMove={place => {
          setAsked(undefined)
          if (asked !== undefined) move(asked.rule, asked.from, place - 1)
        }}
      />
      <ConfirmDialog
        opened={doomed !== undefined}
        title={`Delete this ${words.one}?`}
        action="Delete"
        danger
        onConfirm={() => doomed !== undefined && remove(doomed)}
        onClose={() => setDoomed(undefined)}
      >
        {doomed === undefined ? null : (
          <Stack gap="sm">
            <Text size="sm">
              “{nameOf(doomed)}” does not apply any more within a second. To have it back, restore an earlier
              version in the history.
            </Text>
            <ApiCall call={deleteCall({ zoneId, phase, entry }, doomed.id)} />
          </Stack>
        )}
      </ConfirmDialog>
    </div>
  )
}

function isFound({ id, description, expression, action }: Rule, text: string): boolean {
  return [id, description ?? '', expression, action].some(part => part.toLowerCase().includes(text))
}
