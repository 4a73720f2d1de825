import { Radio, Stack, Text } from '@mantine/core'
import { datasets } from '../../../../../src/model/datasets/table.ts'
import { newGroup } from '../filter/edited.ts'
import type { StepProps } from './step-props.ts'
import classes from './wizard.module.css'

const texts: Readonly<Record<string, { readonly title: string; readonly about: string }>> = {
  http_requests: { title: 'HTTP requests', about: 'One line for each request to the edge.' },
  firewall_events: {
    title: 'Firewall events',
    about: 'One line for each security rule that acted on a request.',
  },
  audit_logs: { title: 'Audit logs', about: 'One line for each change through the API.' },
}

export function DatasetStep({ scope, job, draft, change }: StepProps) {
  const offered = [...datasets.values()].filter(({ scopes }) => scopes.includes(scope.kind))
  const choose = (name: string) => {
    if (name === draft.dataset) return
    // Fields and filters are not valid for another dataset.
    const fields = datasets.get(name)!.defaultFields
    change({ dataset: name, fields, filter: newGroup(), filterText: undefined })
  }
  return (
    <Stack>
      <Radio.Group aria-label="Dataset" value={draft.dataset} onChange={choose}>
        <div className={classes['cards']}>
          {offered.map(({ name, fields }) => (
            <Radio.Card
              key={name}
              value={name}
              className={classes['kind']}
              disabled={job !== undefined && job.dataset !== name}
              aria-label={texts[name]?.title ?? name}
            >
              <Text size="sm" fw={600}>
                {texts[name]?.title ?? name}
              </Text>
              <Text size="xs" c="dimmed">
                {texts[name]?.about} {fields.length} fields.
              </Text>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {job === undefined
          ? 'Changing the dataset resets the fields and the filter.'
          : 'The dataset of a job cannot be changed.'}
      </Text>
    </Stack>
  )
}
