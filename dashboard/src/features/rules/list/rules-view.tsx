import { Alert, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { deleteCall } from '../../../domain/ruleset/rules/calls.ts'
import { type Entry, nameOf, type Rule } from '../../../domain/ruleset/rules/document.ts'
import { plural } from '../../../domain/ruleset/rules/words.ts'
import { useUrlText } from '../../../ui/address/use-url-text.ts'
import { ConfirmDialog } from '../../../ui/controls/confirm-dialog.tsx'
import { Permitted } from '../../../ui/controls/permitted.tsx'
import { ApiCall } from '../../../ui/display/api-call.tsx'
import { AlertIcon, PlusIcon, SearchIcon } from '../../../ui/display/icons.tsx'
import { LinkButton } from '../../../ui/page/links.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import type { PhaseWords } from '../phases.ts'
import { useHits } from './hits.ts'
import { MoveDialog } from './move-dialog.tsx'
import { RuleList } from './rule-list.tsx'
import { useListChanges } from './use-list-changes.ts'

interface ListProps {
  readonly zone: { readonly id: string; readonly name: string }
  readonly words: PhaseWords
  readonly entry: Entry | null
  readonly path: string
  readonly fixed: (rule: Rule) => { readonly text: string; readonly path: string } | undefined
  /** The rule whose form was just closed, or `new`. */
  readonly opened: RefObject<string | undefined>
}

/** The open dialog; at most one. */
interface Dialog {
  /** The rule to move. */
  readonly asked?: { readonly rule: Rule; readonly from: number }
  /** The rule to delete. */
  readonly doomed?: Rule
}

/** The list with its controls and dialogs. */
export function RulesView({ zone, words, entry, path, fixed, opened }: ListProps) {
  const { phase } = words
  const rules = entry?.rules ?? []
  const { typed, setTyped, text: search } = useUrlText('search')
  const [dialog, setDialog] = useState<Dialog>({})
  const { reason: barred } = useMay('zoneWaf write')
  const hits = useHits(zone.id)
  const changes = useListChanges(zone.id, phase, rules)
  const box = useRef<HTMLDivElement>(null)
  useFocusOnOpened(box, opened)
  const shown = search === '' ? rules : rules.filter(rule => isFound(rule, search.toLowerCase()))
  const status = statusText(shown.length, rules.length, changes.isPending, hits.note)
  const isEmpty = rules.every(rule => fixed(rule) !== undefined)
  const create = <CreateLink path={path} label={words.create} />
  return (
    <div ref={box}>
      <PageHeader title={words.title} text={words.text} actions={create} />
      <Stack gap="sm">
        {barred === undefined ? null : <LookOnly reason={barred} />}
        {rules.length > 0 ? <SearchBar typed={typed} onType={setTyped} status={status} /> : null}
        {shown.length > 0 ? (
          <RuleList
            {...{ rules, shown, path, barred, fixed }}
            label={`${words.title} of ${zone.name}, in order`}
            hits={hits.of}
            actions={{
              onMove: changes.move,
              onAskPosition: (rule, from) => setDialog({ asked: { rule, from } }),
              onEnable: changes.enable,
              onCopy: changes.copy,
              onDelete: doomed => setDialog({ doomed }),
            }}
          />
        ) : rules.length > 0 ? (
          <EmptyState title="No matching rules" text="Change the search." />
        ) : null}
        <Below made={changes.made} isPart={rules.length > 1 && shown.length < rules.length}>
          {isEmpty ? <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} /> : null}
        </Below>
      </Stack>
      <VisuallyHidden aria-live="polite" role="status">
        {changes.said}
      </VisuallyHidden>
      <Dialogs
        words={words}
        count={rules.length}
        {...dialog}
        callOf={rule => deleteCall({ zoneId: zone.id, phase, entry }, rule.id)}
        changes={changes}
        onClose={() => setDialog({})}
      />
    </div>
  )
}

interface DialogsProps extends Dialog {
  readonly words: PhaseWords
  readonly count: number
  readonly callOf: (rule: Rule) => Call
  readonly changes: Pick<ReturnType<typeof useListChanges>, 'move' | 'remove'>
  readonly onClose: () => void
}

function Dialogs({ words, count, asked, doomed, callOf, changes, onClose }: DialogsProps) {
  return (
    <>
      <MoveDialog
        asked={asked && { name: nameOf(asked.rule), position: asked.from + 1 }}
        count={count}
        onClose={onClose}
        onMove={position => {
          onClose()
          if (asked !== undefined) changes.move(asked.rule, asked.from, position - 1)
        }}
      />
      <DeleteDialog
        rule={doomed}
        one={words.one}
        call={doomed && callOf(doomed)}
        onConfirm={rule => {
          onClose()
          changes.remove(rule)
        }}
        onClose={onClose}
      />
    </>
  )
}

interface BelowProps {
  readonly made: Call | undefined
  /** True while a search hides rules. */
  readonly isPart: boolean
  readonly children: ReactNode
}

function Below({ made, isPart, children }: BelowProps) {
  return (
    <>
      {made === undefined ? null : <ApiCall call={made} title="Last change as an API call" />}
      {children}
      {isPart ? (
        <Text size="xs" c="dimmed">
          Clear the search to reorder rules.
        </Text>
      ) : null}
    </>
  )
}

function LookOnly({ reason }: { readonly reason: string }) {
  return (
    <Alert color="gray" icon={<AlertIcon />} title="Read-only">
      {reason}
    </Alert>
  )
}

function isFound({ id, description, expression, action }: Rule, text: string): boolean {
  return [id, description ?? '', expression, action].some(part => part.toLowerCase().includes(text))
}

/** Focuses the rule whose form was just closed. */
function useFocusOnOpened(box: RefObject<HTMLElement | null>, opened: ListProps['opened']): void {
  useEffect(() => {
    const rule = opened.current
    opened.current = undefined
    const link = box.current?.querySelector<HTMLElement>(`a[href$="edit=${rule}"]`)
    if (rule !== undefined) (link ?? box.current?.querySelector<HTMLElement>('a'))?.focus()
  }, [box, opened])
}

function statusText(shown: number, all: number, isSaving: boolean, note: string | undefined): string {
  const count = shown === all ? plural(all, 'rule') : `${shown} of ${plural(all, 'rule')}`
  return `${count}${isSaving ? ' · saving …' : ''}${note === undefined ? '' : `. ${note}`}`
}

function CreateLink({ path, label }: { readonly path: string; readonly label: string }) {
  return (
    <Permitted needs="zoneWaf write">
      {disabled => (
        <LinkButton to={path} search={{ new: '1' }} leftSection={<PlusIcon size={16} />} {...disabled}>
          {label}
        </LinkButton>
      )}
    </Permitted>
  )
}

interface SearchProps {
  readonly typed: string
  readonly onType: (text: string) => void
  /** Number of rules, total and found. */
  readonly status: string
}

function SearchBar({ typed, onType, status }: SearchProps) {
  return (
    <Group justify="space-between" gap="sm">
      <TextInput
        aria-label="Search rules"
        placeholder="Search names, expressions and ids"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={event => onType(event.currentTarget.value)}
        flex="0 1 26rem"
      />
      <Text size="sm" c="dimmed" role="status">
        {status}
      </Text>
    </Group>
  )
}

interface DeleteProps {
  /** Undefined while closed. */
  readonly rule: Rule | undefined
  readonly one: string
  readonly call: Call | undefined
  readonly onConfirm: (rule: Rule) => void
  readonly onClose: () => void
}

function DeleteDialog({ rule, one, call, onConfirm, onClose }: DeleteProps) {
  return (
    <ConfirmDialog
      opened={rule !== undefined}
      title={`Delete ${one}?`}
      action="Delete"
      danger
      onConfirm={() => rule !== undefined && onConfirm(rule)}
      onClose={onClose}
    >
      {rule === undefined || call === undefined ? null : (
        <Stack gap="sm">
          <Text size="sm">
            “{nameOf(rule)}” stops applying within a second. You can restore it from an earlier version in
            History.
          </Text>
          <ApiCall call={call} />
        </Stack>
      )}
    </ConfirmDialog>
  )
}
