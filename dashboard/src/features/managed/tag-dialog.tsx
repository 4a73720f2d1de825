import { Button, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type RuleRow, tagCounts } from '../../managed/rule-search.ts'
import { switchRules, switchTag } from '../../managed/switching.ts'
import type { Managed } from './use-managed.ts'

interface Props extends FormProps {
  readonly opened: boolean
}

/** All rules of a tag, with the question whether those are meant that later releases give it. */
export function TagDialog({ opened, ...form }: Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Switch a tag">
      <TagForm {...form} />
    </Modal>
  )
}

interface FormProps {
  readonly managed: Managed
  readonly rows: readonly RuleRow[]
  /** Chosen to begin with; may be empty. */
  readonly tag: string
  onClose(): void
}

function TagForm({ managed, rows, tag: begin, onClose }: FormProps) {
  const { place, changes, ruleset, replace } = managed
  const tags = tagCounts(rows)
  const [tag, setTag] = useState(begin === '' ? (tags[0]?.tag ?? '') : begin)
  const [to, setTo] = useState('off')
  const [future, setFuture] = useState('yes')
  const own = rows.filter(row => row.tags.includes(tag))
  const count = own.length.toLocaleString()
  const add = () => {
    const on = to === 'on'
    const ids = own.map(({ rule }) => rule.id)
    replace(
      future === 'yes'
        ? switchTag(place.rule, changes, ruleset, tag, on)
        : switchRules(place.rule, changes, ruleset, ids, on),
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
      <Radio.Group label="Its rules are" value={to} onChange={setTo}>
        <Group mt="xs">
          <Radio value="off" label="Off" />
          <Radio value="on" label="On" />
        </Group>
      </Radio.Group>
      <Radio.Group
        label="Are rules meant that later releases give this tag?"
        value={future}
        onChange={setFuture}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="yes"
            label="Yes, everything with the tag"
            description="An override of the tag: it holds for whatever a later release brings."
          />
          <Radio
            value="no"
            label={`No, only the ${count} rules that have it now`}
            description="An override for each of them by its id."
          />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        Rules with a switch of their own keep it when the whole tag is meant.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={own.length === 0} onClick={add}>
          Add to the draft
        </Button>
      </Group>
    </Stack>
  )
}
