import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max'> {
  readonly value: number
  readonly min: number
  readonly max?: number
  readonly onChange: (value: number) => void
}

/**
 * A whole number that has to be there. It can be taken out and typed anew: while the field is empty, or holds a number
 * that does not fit, the last one that did stays, and is back in the field when it is left.
 */
export function NumberField({ value, min, max, onChange, error, ...rest }: Props) {
  const [typed, setTyped] = useState<number | string>()
  const isFit = (number: number) => number >= min && (max === undefined || number <= max)
  const misfit = typed === undefined || typed === '' || isFit(Number(typed)) ? undefined : rangeText(min, max)
  return (
    <NumberInput
      {...rest}
      min={min}
      {...(max === undefined ? {} : { max })}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      value={typed ?? value}
      error={misfit ?? error}
      onChange={next => {
        setTyped(next)
        if (next !== '' && isFit(Number(next))) onChange(Number(next))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function rangeText(min: number, max: number | undefined): string {
  return max === undefined
    ? `${min.toLocaleString()} or more`
    : `From ${min.toLocaleString()} to ${max.toLocaleString()}`
}
