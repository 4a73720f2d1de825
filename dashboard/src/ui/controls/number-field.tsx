import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max'> {
  readonly value: number
  readonly min: number
  readonly max?: number
  readonly onChange: (value: number) => void
}

/**
 * A required whole number. Users can clear and retype it: while the field is empty or invalid, the last valid number
 * applies, and returns to the field on blur.
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
    ? `Enter ${min.toLocaleString()} or more`
    : `Enter a number from ${min.toLocaleString()} to ${max.toLocaleString()}`
}
