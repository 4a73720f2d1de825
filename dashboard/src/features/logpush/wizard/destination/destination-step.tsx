import { Radio, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../../../ui/display/code-block.tsx'
import { confOf, destinationKinds, kindById, maskedConf } from '../../destinations/kinds.ts'
import { valuesOf } from '../../draft.ts'
import type { StepProps } from '../step-props.ts'
import { needsOwnership } from '../steps.ts'
import classes from '../wizard.module.css'
import { DestinationForm } from './destination-form.tsx'
import { TestUpload } from './upload-check.tsx'

export function DestinationStep({ scope, job, draft, steps, change }: StepProps) {
  const kind = kindById(draft.kind)
  const values = valuesOf(draft)
  const isWhole = steps.find(({ id }) => id === 'destination')?.missing === undefined
  const permissions = kind.permissions?.(values) ?? []
  return (
    <Stack gap="lg">
      <KindChoice
        value={draft.kind}
        // A challenge answer is only valid for its destination.
        onChange={id => change({ kind: id, challenge: '' })}
      />
      <SimpleGrid cols={{ base: 1, lg: permissions.length > 0 ? 2 : 1 }} spacing="xl">
        <Stack>
          <Title order={3}>{kind.title}</Title>
          <DestinationForm
            key={kind.id}
            kind={kind}
            values={values}
            onChange={next => change({ values: { ...draft.values, [kind.id]: next }, challenge: '' })}
          />
        </Stack>
        {permissions.length === 0 ? null : <ToPaste permissions={permissions} />}
      </SimpleGrid>
      {isWhole ? (
        <Stack gap="xs">
          <Title order={3}>Resulting configuration</Title>
          <CodeBlock text={maskedConf(kind, values)} what="destination_conf, without secrets" />
          {needsOwnership(draft, job?.destination_conf) ? (
            <Text size="sm" c="dimmed">
              The configuration has no credentials, so the next step verifies ownership.
            </Text>
          ) : null}
          <TestUpload scope={scope} conf={confOf(kind, values)} />
        </Stack>
      ) : null}
    </Stack>
  )
}

function KindChoice({ value, onChange }: { readonly value: string; onChange(id: string): void }) {
  return (
    <Radio.Group aria-label="Kind of destination" value={value} onChange={onChange}>
      <div className={classes['cards']}>
        {destinationKinds.map(({ id, title, about }) => (
          <Radio.Card key={id} value={id} className={classes['kind']} aria-label={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="xs" c="dimmed" className={classes['about']}>
              {about}
            </Text>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}

interface PasteProps {
  readonly permissions: readonly { readonly title: string; readonly text: string }[]
}

function ToPaste({ permissions }: PasteProps) {
  return (
    <Stack>
      <Title order={3}>Setup at the destination</Title>
      {permissions.map(({ title, text }) => (
        <div key={title}>
          <Text size="sm" mb={4}>
            {title}
          </Text>
          <CodeBlock text={text} what={title} />
        </div>
      ))}
    </Stack>
  )
}
