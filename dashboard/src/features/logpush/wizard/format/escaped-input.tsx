import { TextInput } from '@mantine/core'
import { useState } from 'react'

interface Props {
  readonly label: string
  /** Default value. */
  readonly usual: string
  readonly text: string
  onChange(text: string): void
}

/** A text input with escapes for line breaks and tabs. */
export function EscapedInput({ label, usual, text, onChange }: Props) {
  // Keeps typed text: a lone backslash starts an escape.
  const [typed, setTyped] = useState(() => escaped(text))
  return (
    <TextInput
      label={label}
      placeholder={escaped(usual) || 'nothing'}
      value={typed}
      onChange={event => {
        const { value } = event.currentTarget
        setTyped(value)
        onChange(unescaped(value))
      }}
      spellCheck={false}
      ff="monospace"
    />
  )
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

/** A backslash before any other character is literal. */
function unescaped(text: string): string {
  const meant: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
  return text.replace(/\\([nrt\\])/g, (_, letter: string) => meant[letter]!)
}
