import { Button, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Managed } from '../../../domain/ruleset/owasp/draft/use-managed.ts'
import { switchRules, switchTag } from '../../../domain/ruleset/owasp/switching.ts'
import { type RuleRow, tagCounts } from './rule-search.ts'

interface Props extends FormProps {
  readonly opened: boolean
}

/** Overrides a tag, or its current rules only. */
export function TagDialog({ opened, ...form }: Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Override a tag">
      <TagForm {...form} />
    </Modal>
  )
}

interface FormProps {
  readonly managed: Managed
  readonly rows: readonly RuleRow[]
  /** Initial selection; may be empty. */
  readonly tag: string
  onClose(): void
}

function TagForm({ managed, rows, tag: begin, onClose }: FormProps) {
  const { context, changes, ruleset, replace } = managed
  const tags = tagCounts(rows)
  const [tag, setTag] = useState(begin === '' ? (tags[0]?.tag ?? '') : begin)
  const [to, setTo] = useState('off')
  const [future, setFuture] = useState('yes')
  const own = rows.filter(row => row.tags.includes(tag))
  const add = () => {
    const on = to === 'on'
    const ids = own.map(({ rule }) => rule.id)
    replace(
      future === 'yes'
        ? switchTag(context.rule, changes, ruleset, tag, on)
        : switchRules(context.rule, changes, ruleset, ids, on),
    )
    onClose()
  }
  return (
    <Stack>
      <NativeSelect
        label="Tag"
        value={tag}
        onChange={event => setTag(event.currentTarget.value)}
        data={tags.map(each => ({ value: each.tag, label: `${each.tag} (${each.count} rules)` }))}
      />
      <Radio.Group label="State" value={to} onChange={setTo}>
        <Group mt="xs">
          <Radio value="off" label="Disabled" />
          <Radio value="on" label="Enabled" />
        </Group>
      </Radio.Group>
      <FutureChoice value={future} count={own.length.toLocaleString()} onChange={setFuture} />
      <Text size="sm" c="dimmed">
        Rule overrides take precedence over the tag.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={own.length === 0} onClick={add}>
          Add to draft
        </Button>
      </Group>
    </Stack>
  )
}

interface FutureProps {
  readonly value: string
  /** Number of rules with the tag now. */
  readonly count: string
  onChange(value: string): void
}

function FutureChoice({ value, count, onChange }: FutureProps) {
  return (
    <Radio.Group label="Applies to" value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="yes"
          label="All current and future rules with the tag"
          description="Creates one override of the tag."
        />
        <Radio
          value="no"
          label={`Only the ${count} current rules`}
          description="Creates one override per rule."
        />
      </Stack>
    </Radio.Group>
  )
}
