import { Text } from '@mantine/core'
import type { TraceItem } from '../../../api/types.ts'
import classes from './trace.module.css'

type Condition = NonNullable<TraceItem['match']>['conditions'][number]

/** The conditions of a rule, with the transformed values that they matched. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  return (
    <ol className={classes['conditions']}>
      {conditions.map(({ operator, parameter, values }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is their identity
        <li key={index}>
          <Text size="xs" c="dimmed" className="wrap">
            {index === 0 ? '' : 'and '}
            <span className="mono">
              {operator} {parameter}
            </span>
          </Text>
          {values.map(value => (
            <Value key={value.target} value={value} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function Value({ value }: { readonly value: Condition['values'][number] }) {
  const { target, original, steps, found } = value
  return (
    <dl className={classes['steps']}>
      <dt>{target === '' ? 'always' : target}</dt>
      <dd className="mono">{original}</dd>
      {steps.map(({ transformation, value: text }, index) => [
        // biome-ignore lint/suspicious/noArrayIndexKey: a transformation can come twice
        <dt key={`name-${index}`}>{transformation}</dt>,
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <dd key={`value-${index}`} className="mono">
          {text}
        </dd>,
      ])}
      {found === '' ? null : (
        <>
          <dt>found</dt>
          <dd className="mono">
            <mark>{found}</mark>
          </dd>
        </>
      )}
    </dl>
  )
}
