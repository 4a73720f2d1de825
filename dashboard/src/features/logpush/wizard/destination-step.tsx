import { Radio, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { confOf, destinationKinds, kindById, maskedConf } from '../destinations/kinds.ts'
import { valuesOf } from '../draft.ts'
import { DestinationForm } from './destination-form.tsx'
import { needsOwnership } from './steps.ts'
import { TestUpload } from './test-upload.tsx'
import classes from './wizard.module.css'
import type { StepProps } from './wizard.tsx'

export function DestinationStep({ scope, job, draft, steps, change }: StepProps) {
  const kind = kindById(draft.kind)
  const values = valuesOf(draft)
  const isWhole = steps.find(({ id }) => id === 'destination')?.missing === undefined
  const permissions = kind.permissions?.(values) ?? []
  return (
    <Stack gap="lg">
      <Radio.Group
        aria-label="Kind of destination"
        value={draft.kind}
        // The challenge that was answered was for the other one.
        onChange={id => change({ kind: id, challenge: '' })}
      >
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
        {permissions.length === 0 ? null : (
          <Stack>
            <Title order={3}>To paste there</Title>
            {permissions.map(({ title, text }) => (
              <div key={title}>
                <Text size="sm" mb={4}>
                  {title}
                </Text>
                <CodeBlock text={text} what={title} />
              </div>
            ))}
          </Stack>
        )}
      </SimpleGrid>
      {isWhole ? (
        <Stack gap="xs">
          <Title order={3}>What the job will say</Title>
          <CodeBlock text={maskedConf(kind, values)} what="destination_conf, without secrets" />
          {needsOwnership(draft, job?.destination_conf) ? (
            <Text size="sm" c="dimmed">
              Nothing in it proves that the destination is yours, so the next step asks for that.
            </Text>
          ) : null}
          <TestUpload scope={scope} conf={confOf(kind, values)} />
        </Stack>
      ) : null}
    </Stack>
  )
}
