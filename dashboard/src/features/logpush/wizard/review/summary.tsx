import type { ReactNode } from 'react'
import { kindById, maskedConf } from '../../destinations/kinds.ts'
import { valuesOf } from '../../draft.ts'
import { outputTypeOf, timestampFormatOf } from '../format/line-texts.tsx'
import type { StepProps } from '../step-props.ts'
import type { StepId } from '../steps.ts'
import classes from '../wizard.module.css'
import { StepLink } from './step-link.tsx'

const typeTitles = { ndjson: 'JSON lines', csv: 'CSV', parquet: 'Parquet' }

/** The job, one line per step. */
export function Summary({ draft, dataset, filter, steps }: StepProps) {
  const kind = kindById(draft.kind)
  const { options } = draft
  const rate = options['sample_rate']
  const format = [
    typeTitles[outputTypeOf(options)],
    `timestamps ${timestampFormatOf(options)}`,
    typeof rate === 'number' ? `${Number((rate * 100).toFixed(4))} % sample` : undefined,
    options['CVE-2021-44228'] === true ? 'log4j lookups defused' : undefined,
    typeof options['record_template'] === 'string' ? 'with a record template' : undefined,
  ].filter(Boolean)
  const batches = [
    draft.seconds === '' ? undefined : `${draft.seconds} s`,
    draft.records === '' ? undefined : `${Number(draft.records).toLocaleString('en')} lines`,
    draft.bytes === '' ? undefined : `${Number(draft.bytes).toLocaleString('en')} bytes`,
  ].filter(Boolean)
  const rows: readonly (readonly [StepId, string, ReactNode])[] = [
    ['destination', 'Destination', `${kind.title}: ${maskedConf(kind, valuesOf(draft))}`],
    ['dataset', 'Dataset', dataset.name],
    ['fields', 'Fields', `${draft.fields.length}: ${draft.fields.join(', ')}`],
    ['filter', 'Filter', filter.explanation ?? 'invalid'],
    ['format', 'Format', format.join(', ')],
    [
      'format',
      'Batches',
      batches.length === 0 ? `default, frequency ${draft.frequency}` : `at most ${batches.join(', ')}`,
    ],
  ]
  return (
    <dl className={classes['summary']}>
      {rows.map(([id, title, text]) => (
        <Row key={title} id={steps.some(step => step.id === id) ? id : undefined} title={title}>
          {text}
        </Row>
      ))}
    </dl>
  )
}

interface RowProps {
  readonly id: StepId | undefined
  readonly title: string
  readonly children: ReactNode
}

function Row({ id, title, children }: RowProps) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
      <dd>
        {id === undefined ? null : (
          <StepLink id={id} label={`Change: ${title}`}>
            Change
          </StepLink>
        )}
      </dd>
    </>
  )
}
