import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { FailureState } from '../../ui/page/states.tsx'
import { Boundary } from './boundary.tsx'
import type { Builder } from './builder/builder.ts'
import { BuilderView } from './builder/builder-view.tsx'
import { printBuilder } from './builder/print-builder.ts'
import { readBuilder } from './builder/read-builder.ts'
import classes from './expression-field.module.css'
import { faultOfMessage } from './fault-range.ts'
import type { Fault, Language, LanguageContext } from './types.ts'
import { useLanguage } from './use-language.ts'

const CodeEditor = lazy(() => import('./editor/code-editor.tsx'))

export interface ExpressionFieldProps {
  readonly label: string
  /** Help text below the label. */
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly phase: LanguageContext['phase']
  /** `counting` for the `counting_expression` of a rate limit. */
  readonly use?: 'filter' | 'counting'
  /** API errors about this expression (`messagesAt`), shown until the expression changes. */
  readonly errors?: readonly string[]
  /** Offers “All incoming requests”, which is the expression `true`. */
  readonly offersAll?: boolean
}

/** An expression of the rules language, edited in the builder or as text. */
export function ExpressionField(props: ExpressionFieldProps) {
  return (
    <Boundary failure={error => <FailureState title={`${props.label} failed to load`} error={error} />}>
      <Suspense fallback={<Loading label={props.label} />}>
        <Field {...props} />
      </Suspense>
    </Boundary>
  )
}

function Loading({ label }: { readonly label: string }) {
  return (
    <div role="status">
      <VisuallyHidden>Loading {label}</VisuallyHidden>
      <Skeleton h={120} />
    </div>
  )
}

type Mode = 'builder' | 'editor'

function Field(props: ExpressionFieldProps) {
  const { label, description, value, onChange, phase, use = 'filter', errors = [], offersAll = false } = props
  const language = useLanguage({ phase, use })
  const [mode, setMode] = useState<Mode>('builder')
  const [draft, setDraft] = useState<{ readonly text: string; readonly builder: Builder }>()
  const refused = useRefused(value, errors)
  const builder = draft?.text === value ? draft.builder : builderOf(value, language)
  const shown = builder === undefined ? 'editor' : mode
  const ids = { label: useId(), description: useId(), faults: useId(), reason: useId() }
  const fault = value.trim() === '' ? undefined : (refused?.fault ?? language.check(value))
  const faults = fault === undefined ? [] : [fault]
  const described = description === undefined ? ids.faults : `${ids.description} ${ids.faults}`
  return (
    <Stack gap="xs" role="group" aria-labelledby={ids.label}>
      <Heading
        label={label}
        description={description}
        ids={ids}
        shown={shown}
        canBuild={builder !== undefined}
        onMode={setMode}
      />
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
      {shown === 'builder' && value.trim() !== '' && value !== 'true' ? <Preview text={value} /> : null}
      {shown === 'editor' && builder === undefined ? (
        <WhyNoBuilder id={ids.reason} isFaulty={fault !== undefined} />
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

interface HeadingProps {
  readonly label: string
  readonly description: string | undefined
  readonly ids: { readonly label: string; readonly description: string; readonly reason: string }
  readonly shown: Mode
  /** True when the builder can represent the expression. */
  readonly canBuild: boolean
  readonly onMode: (mode: Mode) => void
}

function Heading({ label, description, ids, shown, canBuild, onMode }: HeadingProps) {
  return (
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
        <Button variant="subtle" size="compact-sm" onClick={() => onMode('editor')}>
          Edit expression
        </Button>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onMode('builder')}
          {...(canBuild ? {} : barredBy(ids.reason))}
        >
          Use expression builder
        </Button>
      )}
    </Group>
  )
}

function Preview({ text }: { readonly text: string }) {
  return (
    <div className={classes['preview']}>
      <Text size="xs" c="dimmed">
        Expression preview
      </Text>
      <code className="wrap">{text}</code>
    </div>
  )
}

function WhyNoBuilder({ id, isFaulty }: { readonly id: string; readonly isFaulty: boolean }) {
  return (
    <Text id={id} size="xs" c="dimmed">
      {isFaulty
        ? 'Fix the expression to use the builder.'
        : 'This expression is too complex for the builder, which supports conditions on one field joined by “and” and “or”.'}
    </Text>
  )
}

/** Looks disabled and says so to screen readers, but keeps focus so that users can read the reason. */
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
  /** Messages without a location in the text. */
  readonly others: readonly string[]
}

/** API errors, as long as the text is the one they refer to. */
function useRefused(value: string, errors: readonly string[]): Refused | undefined {
  const key = errors.join('\n')
  const [about, setAbout] = useState<{ readonly key: string; readonly value: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors refer to the value at the time they arrived
  useEffect(() => {
    setAbout(key === '' ? undefined : { key, value })
  }, [key])
  if (about === undefined || about.key !== key || about.value !== value) return undefined
  const located = errors.map(message => ({ message, fault: faultOfMessage(value, message) }))
  return {
    fault: located.find(({ fault }) => fault !== undefined)?.fault,
    others: located.filter(({ fault }) => fault === undefined).map(({ message }) => message),
  }
}

interface FaultsProps {
  readonly id: string
  readonly text: string
  readonly faults: readonly Fault[]
  readonly others: readonly string[]
}

/** Faults in words; screen readers announce them when typing pauses. */
function Faults({ id, text, faults, others }: FaultsProps) {
  const lines = [...faults.map(fault => `${locationOf(text, fault)}: ${fault.message}`), ...others]
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

function locationOf(text: string, { from, to }: Fault): string {
  const under = text.slice(from, to)
  if (under.trim() !== '' && under.length <= 40) return `“${under}”`
  const before = text.slice(0, from).split('\n')
  return `Line ${before.length}, column ${before.at(-1)!.length + 1}`
}
