import { Checkbox, Group, Radio, Skeleton, Stack, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { ExpressionField } from '../../../domain/expression/index.ts'
import type { LimitDraft } from '../../../domain/ruleset/rules/draft.ts'
import { NumberField } from '../../../ui/controls/number-field.tsx'
import { CharacteristicsFields } from './characteristics-fields.tsx'
import { DurationInput } from './duration-input.tsx'
import { Section } from './section.tsx'

const dayS = 86_400
const periods = [10, 60, 120, 300, 600, 3600, dayS]

interface Props {
  readonly limit: LimitDraft
  readonly onChange: (limit: LimitDraft) => void
  /** API errors about a member of `ratelimit`. */
  readonly errors: (member: string) => readonly string[]
}

/** The rate limit of a rule. */
export function LimitFields({ limit, onChange, errors }: Props) {
  const isSum = limit.by === 'score'
  return (
    <Section title="When rate exceeds…">
      <Suspense fallback={<Skeleton h={90} />}>
        <CharacteristicsFields
          value={limit.characteristics}
          onChange={characteristics => onChange({ ...limit, characteristics })}
          errors={index => errors(`characteristics/${index}`)[0]}
        />
      </Suspense>
      <CountedBy value={limit.by} onChange={by => onChange({ ...limit, by })} />
      <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
        <NumberField
          label={isSum ? 'Score' : 'Requests'}
          description="Allowed in each period."
          min={1}
          thousandSeparator=","
          value={isSum ? limit.score : limit.requests}
          error={errors(isSum ? 'score_per_period' : 'requests_per_period')[0]}
          onChange={value => onChange({ ...limit, [isSum ? 'score' : 'requests']: value })}
        />
        <DurationInput
          label="Period"
          description="Length of the counting period."
          choices={periods}
          min={1}
          max={dayS}
          value={limit.period}
          onChange={period => onChange({ ...limit, period })}
        />
      </Group>
      {isSum ? (
        <TextInput
          label="Response header with the score"
          placeholder="x-score"
          value={limit.scoreHeader}
          error={errors('score_response_header_name')[0]}
          onChange={event => onChange({ ...limit, scoreHeader: event.currentTarget.value })}
        />
      ) : null}
      <CountedRequests limit={limit} onChange={onChange} />
      {limit.counting === undefined ? null : (
        <ExpressionField
          label="Increment counter when"
          phase="http_ratelimit"
          use="counting"
          value={limit.counting}
          onChange={counting => onChange({ ...limit, counting })}
          errors={errors('counting_expression')}
        />
      )}
    </Section>
  )
}

interface CountedByProps {
  readonly value: LimitDraft['by']
  readonly onChange: (by: LimitDraft['by']) => void
}

function CountedBy({ value, onChange }: CountedByProps) {
  return (
    <Radio.Group label="Count" value={value} onChange={by => onChange(by as LimitDraft['by'])}>
      <Group gap="lg" mt="xs">
        <Radio value="requests" label="Requests" />
        <Radio value="score" label="Score from a response header of the origin" />
      </Group>
    </Radio.Group>
  )
}

function CountedRequests({ limit, onChange }: Pick<Props, 'limit' | 'onChange'>) {
  return (
    <Stack gap="sm">
      <Checkbox
        label="Count only requests that reach the origin"
        checked={limit.toOrigin}
        onChange={event => onChange({ ...limit, toOrigin: event.currentTarget.checked })}
      />
      <Checkbox
        label="Use a custom counting expression"
        description="Otherwise the rule’s expression applies. A counting expression can also use response fields, such as the status code."
        checked={limit.counting !== undefined}
        onChange={event => onChange({ ...limit, counting: event.currentTarget.checked ? '' : undefined })}
      />
    </Stack>
  )
}

/** Duration of the action. */
export function TimeoutField({ limit, onChange }: Pick<Props, 'limit' | 'onChange'>) {
  return (
    <DurationInput
      label="For duration"
      choices={periods}
      zero="While the client exceeds the limit"
      min={0}
      max={dayS}
      value={limit.timeout}
      onChange={timeout => onChange({ ...limit, timeout })}
    />
  )
}
