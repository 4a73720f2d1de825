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
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import { datasets } from '../../../../../src/model/datasets/table.ts'
import type { LogpushJob } from '../../../api/types.ts'
import { useSample } from '../../../domain/logs/log-sample.ts'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { CheckIcon } from '../../../ui/display/icons.tsx'
import type { LogScope } from '../scope.ts'
import { DatasetStep } from './dataset-step.tsx'
import { DestinationStep } from './destination/destination-step.tsx'
import { OwnershipStep } from './destination/ownership-step.tsx'
import type { DraftStore } from './draft-store.ts'
import { FieldsStep } from './fields/fields-step.tsx'
import { FilterStep } from './filter/filter-step.tsx'
import { FormatStep } from './format/format-step.tsx'
import { ReviewStep } from './review/review-step.tsx'
import type { StepProps } from './step-props.ts'
import { filterStateOf, type Step, type StepId, stepsOf } from './steps.ts'
import classes from './wizard.module.css'

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
  const props: StepProps = {
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
  }
  const next = steps[index + 1]
  const before = steps[index - 1]
  return (
    <div className={classes['layout']}>
      <StepList steps={steps} current={step} onGo={go} />
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
        {next === undefined ? null : <SkipButton next={next} onSkip={() => nextButton.current?.focus()} />}
        {store.isKept && index === 0 ? (
          <Alert color="brand" mb="md" p="xs">
            <Text size="sm">Draft restored. Secrets are not restored after a reload.</Text>
          </Alert>
        ) : null}
        <Body {...props} />
        <Footer step={step} before={before} next={next} nextButton={nextButton} onGo={go} />
      </Paper>
    </div>
  )
}

interface StepListProps {
  readonly steps: readonly Step[]
  readonly current: Step
  onGo(step: StepId): void
}

function StepList({ steps, current, onGo }: StepListProps) {
  return (
    <nav aria-label="Steps">
      <ol className={classes['steps']}>
        {steps.map((one, number) => (
          <StepButton
            key={one.id}
            step={one}
            number={number + 1}
            current={one === current}
            onGo={() => onGo(one.id)}
          />
        ))}
      </ol>
    </nav>
  )
}

function SkipButton({ next, onSkip }: { readonly next: Step; onSkip(): void }) {
  return (
    <Button className={classes['skip']} size="xs" variant="default" onClick={onSkip}>
      Skip to Next: {next.title}
    </Button>
  )
}

interface FooterProps {
  readonly step: Step
  readonly before: Step | undefined
  readonly next: Step | undefined
  readonly nextButton: RefObject<HTMLButtonElement | null>
  onGo(step: StepId): void
}

function Footer({ step, before, next, nextButton, onGo }: FooterProps) {
  return (
    <Group justify="space-between" mt="xl">
      {before === undefined ? (
        <span />
      ) : (
        <Button variant="default" onClick={() => onGo(before.id)}>
          Back
        </Button>
      )}
      {next === undefined ? null : (
        <Stack gap={4} align="flex-end" ml="auto">
          <Button ref={nextButton} onClick={() => onGo(next.id)}>
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
          {done ? ', complete' : step.missing === undefined ? '' : ', incomplete'}
        </VisuallyHidden>
      </UnstyledButton>
    </li>
  )
}

/** Each step has its own address, so that the browser's back button returns to the previous step. */
function useStep(): (step: StepId) => void {
  const navigate = useNavigate()
  return step => {
    const change = (before: Readonly<Record<string, unknown>>) => ({ ...before, step })
    void navigate({ to: '.', search: change as never })
  }
}

/** Focuses the heading of a new step; not of the first one. */
function useFocusOn(step: StepId) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(step)
  useEffect(() => {
    if (last.current !== step) heading.current?.focus()
    last.current = step
  }, [step])
  return heading
}
