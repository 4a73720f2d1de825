import type { Dataset } from '../../../../../src/model/dataset.ts'
import type { LogpushJob } from '../../../api/types.ts'
import type { Sample } from '../../../domain/logs/log-sample.ts'
import type { Draft } from '../draft.ts'
import type { FilterState } from '../filter/edited.ts'
import type { LogScope } from '../scope.ts'
import type { Step, StepId } from './steps.ts'

/** Props of all steps. */
export interface StepProps {
  readonly scope: LogScope
  readonly job: LogpushJob | undefined
  readonly draft: Draft
  readonly dataset: Dataset
  readonly filter: FilterState
  readonly sample: Sample
  /** The zone that supplies example records. */
  readonly sampleZone: string | undefined
  readonly steps: readonly Step[]
  change(part: Partial<Draft>): void
  go(step: StepId): void
  setSampleZone(zoneId: string): void
  finish(): void
}
