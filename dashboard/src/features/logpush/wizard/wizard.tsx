import {
  Alert,
  Button,
  Group,
  Paper,
  Stack,
  Text,
  Title,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Dataset } from '../../../../../src/model/dataset.ts'
import { datasets } from '../../../../../src/model/datasets/table.ts'
import { type Sample, useSample } from '../../../api/log-sample.ts'
import type { LogpushJob } from '../../../api/types.ts'
import { CheckIcon } from '../../../ui/icons.tsx'
import { useUrlState } from '../../../ui/use-url-state.ts'
import type { Draft } from '../draft.ts'
import type { FilterState } from '../filter/edited.ts'
import type { LogScope } from '../scope.ts'
import { DatasetStep } from './dataset-step.tsx'
import { DestinationStep } from './destination-step.tsx'
import type { DraftStore } from './draft-store.ts'
import { FieldsStep } from './fields-step.tsx'
import { FilterStep } from './filter-step.tsx'
import { FormatStep } from './format-step.tsx'
import { OwnershipStep } from './ownership-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { filterStateOf, type Step, type StepId, stepsOf } from './steps.ts'
import classes from './wizard.module.css'

/** What every step is given. */
export interface StepProps {
  readonly scope: LogScope
  readonly job: LogpushJob | undefined
  readonly draft: Draft
  readonly dataset: Dataset
  readonly filter: FilterState
  readonly sample: Sample
  /** The zone whose records are shown as examples. */
  readonly sampleZone: string | undefined
  readonly steps: readonly Step[]
  change(part: Partial<Draft>): void
  go(step: StepId): void
  setSampleZone(zoneId: string): void
  finish(): void
}

const bodies: Readonly<Record<StepId, (props: StepProps) => ReactNode>> = {
  destination: DestinationStep,
  ownership: OwnershipStep,
  dataset: DatasetStep,
  fields: FieldsStep,
  filter: FilterStep,
  format: FormatStep,
  review: ReviewStep,
}

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob | undefined
  readonly store: DraftStore
}

export function Wizard({ scope, job, store }: Props) {
  const { draft, change, finish } = store
  const dataset = datasets.get(draft.dataset)!
  const filter = useMemo(() => filterStateOf(draft, dataset), [draft, dataset])
  const steps = stepsOf(draft, filter, job?.destination_conf)
  const [wanted] = useUrlState('step', 'destination')
  const step = steps.find(({ id }) => id === wanted) ?? steps[0]!
  const index = steps.indexOf(step)
  const go = useStep()
  const [chosenZone, setSampleZone] = useUrlState('sample')
  const sampleZone = scope.kind === 'zone' ? scope.id : chosenZone || undefined
  const sample = useSample(sampleZone, draft.dataset)
  const heading = useFocusOn(step.id)
  const nextButton = useRef<HTMLButtonElement>(null)
  const Body = bodies[step.id]
  const next = steps[index + 1]
  const before = steps[index - 1]
  return (
    <div className={classes['layout']}>
      <nav aria-label="Steps">
        <ol className={classes['steps']}>
          {steps.map((one, number) => (
            <StepButton
              key={one.id}
              step={one}
              number={number + 1}
              current={one === step}
              onGo={() => go(one.id)}
            />
          ))}
        </ol>
      </nav>
      <Paper
        withBorder
        p={{ base: 'md', sm: 'lg' }}
        className={classes['card']}
        component="section"
        aria-label={step.title}
      >
        <Title order={2} mb="md" tabIndex={-1} ref={heading} style={{ outline: 'none' }}>
          {step.title}
        </Title>
        {next === undefined ? null : (
          <Button
            className={classes['skip']}
            size="xs"
            variant="default"
            onClick={() => nextButton.current?.focus()}
          >
            Skip to Next: {next.title}
          </Button>
        )}
        {store.isKept && index === 0 ? (
          <Alert color="gate" mb="md" p="xs">
            <Text size="sm">This draft was kept in this tab. Secrets were not kept over a reload.</Text>
          </Alert>
        ) : null}
        <Body
          {...{
            scope,
            job,
            draft,
            dataset,
            filter,
            sample,
            sampleZone,
            steps,
            change,
            go,
            setSampleZone,
            finish,
          }}
        />
        <Group justify="space-between" mt="xl">
          {before === undefined ? (
            <span />
          ) : (
            <Button variant="default" onClick={() => go(before.id)}>
              Back
            </Button>
          )}
          {next === undefined ? null : (
            <Stack gap={4} align="flex-end" ml="auto">
              <Button ref={nextButton} onClick={() => go(next.id)}>
                Next: {next.title}
              </Button>
              {step.missing === undefined ? null : (
                <Text size="xs" c="dimmed">
                  {step.missing}
                </Text>
              )}
            </Stack>
          )}
        </Group>
      </Paper>
    </div>
  )
}

interface StepButtonProps {
  readonly step: Step
  readonly number: number
  readonly current: boolean
  onGo(): void
}

function StepButton({ step, number, current, onGo }: StepButtonProps) {
  const done = step.missing === undefined && step.id !== 'review'
  return (
    <li>
      <UnstyledButton className={classes['step']} onClick={onGo} aria-current={current ? 'step' : undefined}>
        <span className={classes['number']} data-done={done || undefined} aria-hidden="true">
          {done && !current ? <CheckIcon size={14} /> : number}
        </span>
        <span>{step.title}</span>
        <VisuallyHidden>
          {done ? ', complete' : step.missing === undefined ? '' : ', something is missing'}
        </VisuallyHidden>
      </UnstyledButton>
    </li>
  )
}

/** Steps are places of the address, so that going back in the browser goes to the step before. */
function useStep(): (step: StepId) => void {
  const navigate = useNavigate()
  return step => {
    const change = (before: Readonly<Record<string, unknown>>) => ({ ...before, step })
    void navigate({ to: '.', search: change as never })
  }
}

/** The heading of a step is where the keyboard and screen readers go on, but for the first that is shown. */
function useFocusOn(step: StepId) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(step)
  useEffect(() => {
    if (last.current !== step) heading.current?.focus()
    last.current = step
  }, [step])
  return heading
}
