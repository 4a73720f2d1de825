import { FieldPicker } from '../../bus/index.ts'
import { compileFilter, type LogPredicate } from '../../logfilter/index.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { JsonObject, LogpushJob, Scope } from '../../model/resource.ts'
import { formatOf } from '../jobs/job.ts'
import { logpushLimits } from '../limits.ts'
import type { LineFormat } from '../output/format.ts'
import { type Sampler, sampler } from '../output/sample.ts'
import { SinkError } from '../sinks/sink.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import { type FileForm, fileForm } from './file-form.ts'

/**
 * The settings of a job that determine the bytes of a batch; stored with the batch, so that a second attempt writes
 * the same.
 */
export interface Shape {
  readonly scope: Scope
  readonly dataset: string
  readonly filter: string | null
  readonly logpullOptions: string | null
  readonly outputOptions: JsonObject | null
  /** Objects hold records of one such period, because their folder or manifest names it. */
  readonly period: 'hour' | 'day' | null
}

/** A shape, ready for records. */
export interface CompiledShape {
  readonly shape: Shape
  readonly format: LineFormat
  readonly form: FileForm
  /** The dataset's field for the time of the event. */
  readonly timeField: string
  /** The fields of a record that its line needs, with the time of its event. */
  lineFields(record: StreamRecord): LogRecord
  /** Whether filter and sample keep a record of the shape's scope and dataset. */
  keeps(record: StreamRecord): boolean
  /** Whether a record has this scope and dataset, and is kept. */
  wants(record: StreamRecord): boolean
}

export function shapeOf(job: LogpushJob, period: Shape['period']): Shape {
  const { scope, dataset, filter, logpullOptions, outputOptions } = job
  return { scope, dataset, filter, logpullOptions, outputOptions, period }
}

/** @throws SinkError `never` when the stored settings do not fit this version */
export function compileShape(shape: Shape): CompiledShape {
  const format = formatOf(shape)
  const dataset = datasets.get(shape.dataset)
  if (!format.ok || dataset === undefined)
    throw new SinkError(
      'invalid-format',
      'never',
      format.ok ? `no dataset ${shape.dataset}` : format.problem.message,
    )
  const keep =
    shape.filter === null || shape.filter === '' ? undefined : compiledFilter(shape.filter, dataset)
  const { sampleRate } = format.value
  const samplers = new Map<string, Sampler>()
  const isSampled = ({ partition, sequence }: StreamRecord) => {
    const sample = samplers.get(partition) ?? sampler(sampleRate, partition)
    samplers.set(partition, sample)
    return sample(sequence)
  }
  const keeps = (record: StreamRecord) =>
    (sampleRate >= 1 || isSampled(record)) && (keep === undefined || keep.test(record.pick(keep.picker)))
  const picker = pickerOf([...format.value.fields.map(({ name }) => name), dataset.timeField])
  const { kind, id } = shape.scope
  return {
    shape,
    format: format.value,
    form: fileForm(format.value),
    timeField: dataset.timeField,
    lineFields: record => record.pick(picker),
    keeps,
    wants: record => record.head[kind] === id && record.head.dataset === shape.dataset && keeps(record),
  }
}

interface CompiledFilter {
  readonly test: LogPredicate
  readonly picker: FieldPicker | undefined
}

function compiledFilter(filter: string, dataset: Parameters<typeof compileFilter>[1]): CompiledFilter {
  const compiled = compileFilter(filter, dataset)
  if (!compiled.ok) throw new SinkError('invalid-filter', 'never', compiled.problem.message)
  return { test: compiled.test, picker: pickerOf(compiled.fields) }
}

/** Undefined for so many fields that parsing the record costs less. */
function pickerOf(names: readonly string[]): FieldPicker | undefined {
  const each = [...new Set(names)]
  return each.length > logpushLimits.pickedFieldsMax ? undefined : new FieldPicker(each)
}

/** Whether two moments, ms since the epoch, belong into one object. */
export function samePeriod(period: Shape['period'], aMs: number, bMs: number): boolean {
  if (period === null) return true
  const lengthMs = period === 'hour' ? 3_600_000 : 86_400_000
  return Math.floor(aMs / lengthMs) === Math.floor(bMs / lengthMs)
}
