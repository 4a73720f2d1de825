import { Checkbox, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import type { ListPhase } from '../../../domain/ruleset/rules/document.ts'
import type { SkipDraft } from '../../../domain/ruleset/rules/draft.ts'
import { phaseLabels, productLabels } from '../../../domain/ruleset/rules/words.ts'
import { DisclosureButton } from './disclosure-button.tsx'

interface Props {
  readonly phase: ListPhase
  readonly skip: SkipDraft
  readonly logging: boolean
  readonly onChange: (skip: SkipDraft) => void
  readonly onLogging: (logging: boolean) => void
}

const laterPhases = ['http_ratelimit', 'http_request_firewall_managed']

/** Components that a skip rule skips. */
export function SkipFields({ phase, skip, logging, onChange, onLogging }: Props) {
  const [more, setMore] = useState(skip.products.length > 0)
  const isCustom = phase === 'http_request_firewall_custom'
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label="WAF components to skip"
        value={[...(skip.remaining ? ['remaining'] : []), ...skip.phases]}
        onChange={chosen =>
          onChange({
            ...skip,
            remaining: chosen.includes('remaining'),
            phases: chosen.filter(name => name !== 'remaining'),
          })
        }
      >
        <Stack gap="xs" mt="xs">
          <Checkbox
            value="remaining"
            label={`All remaining ${isCustom ? 'custom' : 'rate limiting'} rules`}
          />
          {isCustom
            ? [...new Set([...laterPhases, ...skip.phases])].map(name => (
                <Checkbox key={name} value={name} label={phaseLabels[name] ?? name} />
              ))
            : null}
        </Stack>
      </Checkbox.Group>
      {isCustom ? (
        <>
          <DisclosureButton opened={more} onToggle={() => setMore(!more)}>
            More components to skip
          </DisclosureButton>
          {more ? (
            <Checkbox.Group
              label="Older products"
              description="Sluice has none of these products, so skipping them has no effect. Imported rules can keep them."
              value={[...skip.products]}
              onChange={products => onChange({ ...skip, products })}
            >
              <Stack gap="xs" mt="xs">
                {Object.entries(productLabels).map(([value, label]) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </Stack>
            </Checkbox.Group>
          ) : null}
        </>
      ) : null}
      <LoggingSwitch logging={logging} onLogging={onLogging} />
    </Stack>
  )
}

export function LoggingSwitch({ logging, onLogging }: Pick<Props, 'logging' | 'onLogging'>) {
  return (
    <Switch
      label="Log matching requests"
      description="Skipped requests appear in Events."
      checked={logging}
      onChange={event => onLogging(event.currentTarget.checked)}
    />
  )
}
