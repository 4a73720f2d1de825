import { Select } from '@mantine/core'
import type { Rule } from '../../../domain/ruleset/rules/document.ts'
import { type Draft, isLimited, writeDraft } from '../../../domain/ruleset/rules/draft.ts'
import { actionLabel } from '../../../domain/ruleset/rules/words.ts'
import type { PhaseWords } from '../phases.ts'
import { ExceptionFields } from './exception-fields.tsx'
import { ExceptionPreviewPanel } from './exception-preview.tsx'
import { TimeoutField } from './limit-fields.tsx'
import { ResponseFields } from './response-fields.tsx'
import { Section } from './section.tsx'
import { SkipFields } from './skip-fields.tsx'

interface FieldsProps {
  readonly zoneId: string
  readonly words: PhaseWords
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

interface Props extends FieldsProps {
  /** The saved rule; undefined for a new one. */
  readonly rule: Rule | undefined
  /** The missing input that prevents a preview. */
  readonly missing: string | undefined
}

/** Action on matching requests. */
export function ActionSection({ rule, missing, ...fields }: Props) {
  const { zoneId, words, draft } = fields
  const isException = words.one === 'exception'
  return (
    <Section title={isException ? 'Then skip…' : 'Then take action…'}>
      <ActionFields {...fields} />
      {isException ? (
        <ExceptionPreviewPanel
          zoneId={zoneId}
          expression={draft.expression}
          parameters={writeDraft(draft, words.phase, rule).action_parameters ?? {}}
          missing={missing}
        />
      ) : null}
    </Section>
  )
}

function ActionFields({ zoneId, words, draft, onChange }: FieldsProps) {
  const { phase, actions } = words
  const skips = {
    skip: draft.skip,
    logging: draft.logging,
    onChange: (skip: Draft['skip']) => onChange({ skip }),
    onLogging: (logging: boolean) => onChange({ logging }),
  }
  if (phase === 'http_request_firewall_managed') return <ExceptionFields zoneId={zoneId} {...skips} />
  const offered = actions.includes(draft.action) ? actions : [...actions, draft.action]
  return (
    <>
      <Select
        label="Action"
        data={offered.map(value => ({ value, label: actionLabel(value) }))}
        value={draft.action}
        allowDeselect={false}
        maw={420}
        onChange={action => {
          if (action !== null) onChange({ action })
        }}
      />
      {draft.action === 'block' ? (
        <ResponseFields
          response={draft.response}
          statusCode={phase === 'http_ratelimit' ? 429 : 403}
          onChange={response => onChange({ response })}
        />
      ) : null}
      {draft.action === 'skip' ? <SkipFields phase={phase} {...skips} /> : null}
      {phase === 'http_ratelimit' && isLimited(draft.action) ? (
        <TimeoutField limit={draft.limit} onChange={limit => onChange({ limit })} />
      ) : null}
    </>
  )
}
