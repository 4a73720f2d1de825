import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { FailureState } from '../ui/states.tsx'
import { Boundary } from './boundary.tsx'
import type { Builder } from './builder.ts'
import { BuilderView } from './builder-view.tsx'
import classes from './expression-field.module.css'
import { faultOfMessage } from './fault-range.ts'
import { printBuilder } from './print-builder.ts'
import { readBuilder } from './read-builder.ts'
import type { Fault, Language, Place } from './types.ts'
import { useLanguage } from './use-language.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

export interface ExpressionFieldProps {
  readonly label: string
  /** One sentence under the label. */
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly phase: Place['phase']
  /** `counting` for the `counting_expression` of a rate limit. */
  readonly use?: 'filter' | 'counting'
  /** Messages of the API about this expression (`messagesAt`); shown until the expression is changed. */
  readonly errors?: readonly string[]
  /** Offers “All incoming requests”, which is the expression `true`. */
  readonly offersAll?: boolean
}

/** An expression of the rules language: built row by row, or written in an editor. Both are the same text. */
export function ExpressionField(props: ExpressionFieldProps) {
  return (
    <Boundary failure={error => <FailureState title={`${props.label} cannot be shown`} error={error} />}>
      <Suspense fallback={<Loading label={props.label} />}>
        <Field {...props} />
      </Suspense>
    </Boundary>
  )
}

function Loading({ label }: { readonly label: string }) {
  return (
    <div role="status">
      <VisuallyHidden>{label} is loading</VisuallyHidden>
      <Skeleton h={120} />
    </div>
  )
}

function Field(props: ExpressionFieldProps) {
  const { label, description, value, onChange, phase, use = 'filter', errors = [], offersAll = false } = props
  const language = useLanguage({ phase, use })
  const [mode, setMode] = useState<'builder' | 'editor'>('builder')
  const [draft, setDraft] = useState<{ readonly text: string; readonly builder: Builder }>()
  const refused = useRefused(value, errors)
  const builder = draft?.text === value ? draft.builder : builderOf(value, language)
  const shown = builder === undefined ? 'editor' : mode
  const ids = { label: useId(), description: useId(), faults: useId(), reason: useId() }
  const fault = value.trim() === '' ? undefined : (refused?.fault ?? language.check(value))
  const faults = fault === undefined ? [] : [fault]
  const described = [description === undefined ? '' : ids.description, ids.faults]
    .filter(id => id !== '')
    .join(' ')
  return (
    <Stack gap="xs" role="group" aria-labelledby={ids.label}>
      <Group justify="space-between" gap="xs" align="flex-end">
        <div>
          <Text id={ids.label} size="sm" fw={600}>
            {label}
          </Text>
          {description === undefined ? null : (
            <Text id={ids.description} size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {shown === 'builder' ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setMode('editor')}>
            Edit expression
          </Button>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setMode('builder')}
            {...(builder === undefined ? barredBy(ids.reason) : {})}
          >
            Use expression builder
          </Button>
        )}
      </Group>
      {shown === 'builder' && builder !== undefined ? (
        <BuilderView
          builder={builder}
          language={language}
          offersAll={offersAll}
          insists={refused !== undefined}
          onChange={next => {
            const text = printBuilder(next, language.fields)
            setDraft({ text, builder: next })
            onChange(text)
          }}
        />
      ) : (
        <Suspense fallback={<Skeleton h={88} />}>
          <CodeEditor
            label={label}
            describedBy={described}
            value={value}
            onChange={onChange}
            language={language}
            faults={faults}
          />
        </Suspense>
      )}
      {shown === 'builder' && value.trim() !== '' && value !== 'true' ? (
        <div className={classes['preview']}>
          <Text size="xs" c="dimmed">
            Expression preview
          </Text>
          <code className="wrap">{value}</code>
        </div>
      ) : null}
      {shown === 'editor' && builder === undefined ? (
        <Text id={ids.reason} size="xs" c="dimmed">
          {fault === undefined
            ? 'The builder shows conditions of one field each, joined by “and” and grouped by “or”. This expression says more than that.'
            : 'The builder can be used again when the expression is correct.'}
        </Text>
      ) : null}
      <Faults
        id={ids.faults}
        text={value}
        faults={shown === 'editor' ? faults : []}
        others={refused?.others ?? []}
      />
    </Stack>
  )
}

/** Looks and is announced as disabled, and can still be reached to learn why. */
function barredBy(reason: string) {
  return { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reason } as const
}

const emptyBuilder: Builder = {
  kind: 'groups',
  groups: [[{ field: 'http.request.uri.path', key: '', operator: 'eq', values: [] }]],
}

function builderOf(value: string, language: Language): Builder | undefined {
  return value.trim() === '' ? emptyBuilder : readBuilder(value, language)
}

interface Refused {
  readonly fault: Fault | undefined
  /** Messages that name no place in the text. */
  readonly others: readonly string[]
}

/** What the API said, as long as the text is the one it was said about. */
function useRefused(value: string, errors: readonly string[]): Refused | undefined {
  const key = errors.join('\n')
  const [about, setAbout] = useState<{ readonly key: string; readonly value: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors are about the value at the time they came
  useEffect(() => setAbout(key === '' ? undefined : { key, value }), [key])
  if (about === undefined || about.key !== key || about.value !== value) return undefined
  const placed = errors.map(message => ({ message, fault: faultOfMessage(value, message) }))
  return {
    fault: placed.find(({ fault }) => fault !== undefined)?.fault,
    others: placed.filter(({ fault }) => fault === undefined).map(({ message }) => message),
  }
}

interface FaultsProps {
  readonly id: string
  readonly text: string
  readonly faults: readonly Fault[]
  readonly others: readonly string[]
}

/** In words for everybody; said to screen readers when the typing pauses. */
function Faults({ id, text, faults, others }: FaultsProps) {
  const lines = [...faults.map(fault => `${placeOf(text, fault)}: ${fault.message}`), ...others]
  const [said] = useDebouncedValue(lines.join('\n'), 400)
  return (
    <div id={id} role="status" className={classes['faults']}>
      {said === ''
        ? null
        : said.split('\n').map(line => (
            <Text key={line} size="sm" c="var(--mantine-color-error)" className="wrap">
              {line}
            </Text>
          ))}
    </div>
  )
}

function placeOf(text: string, { from, to }: Fault): string {
  const under = text.slice(from, to)
  if (under.trim() !== '' && under.length <= 40) return `“${under}”`
  const before = text.slice(0, from).split('\n')
  return `Line ${before.length}, column ${before.at(-1)!.length + 1}`
}
