import type { LogpushJob } from '../../model/resource.ts'
import type { Shape } from '../batch/shape.ts'
import { SinkError, type Target } from '../sinks/sink.ts'
import { parseDestination } from '../sinks/table.ts'

/** @throws SinkError `never` when the stored destination does not fit this version */
export function targetOf(job: LogpushJob): Target {
  const target = parseDestination(job.destinationConf)
  if (!target.ok) throw new SinkError('invalid-destination', 'never', target.problem.message)
  return target.value
}

/** The longest time that one object of this target covers, because its folder or manifest names it. */
export function periodOf({ folder, manifest }: Target): Shape['period'] {
  if (manifest || folder.includes('{HOUR}')) return 'hour'
  return folder.includes('{DATE}') ? 'day' : null
}
