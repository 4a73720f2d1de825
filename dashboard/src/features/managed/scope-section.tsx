import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ExpressionField } from '../../domain/expression/index.ts'
import { managedPhase } from '../../domain/ruleset/owasp/document.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Section } from '../../ui/page/section.tsx'

interface Props {
  readonly expression: string
  readonly disabled: boolean
  /** API errors about the expression. */
  readonly faults: readonly string[]
  onChange(expression: string): void
}

/** Requests that the ruleset inspects. The API validates the expression while the user types. */
export function ScopeSection({ expression, disabled, faults, onChange }: Props) {
  const isAll = expression === 'true'
  const [own, setOwn] = useState(isAll ? '' : expression)
  const [choice, setChoice] = useState<string | undefined>()
  const chosen = choice ?? (isAll ? 'all' : 'some')
  // Discarding a draft, or a change by someone else, replaces the typed expression.
  const [sent, setSent] = useState(expression)
  if (sent !== expression) {
    setSent(expression)
    setChoice(undefined)
    if (!isAll) setOwn(expression)
  }
  const send = (text: string) => {
    const value = text.trim() === '' ? 'true' : text
    setSent(value)
    onChange(value)
  }
  return (
    <Section title="Scope" text="The ruleset inspects only requests in this scope.">
      <Radio.Group
        aria-label="Scope"
        value={chosen}
        onChange={value => {
          setChoice(value)
          send(value === 'all' ? '' : own)
        }}
      >
        <Stack gap="xs">
          <Radio value="all" label="All requests" disabled={disabled} />
          <Radio value="some" label="Requests that match an expression" disabled={disabled} />
        </Stack>
      </Radio.Group>
      {chosen === 'some' && disabled ? <CodeBlock text={own} what="expression" /> : null}
      {chosen === 'some' && !disabled ? (
        <>
          <ExpressionField
            label="Expression"
            phase={managedPhase}
            value={own}
            errors={faults}
            onChange={value => {
              setChoice('some')
              setOwn(value)
              send(value)
            }}
          />
          {own.trim() === '' ? (
            <Text size="sm" c="dimmed">
              While the expression is empty, all requests are inspected.
            </Text>
          ) : null}
        </>
      ) : null}
    </Section>
  )
}
