import { Checkbox, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { DisclosureButton } from './disclosure-button.tsx'
import type { ListPhase } from './document.ts'
import type { SkipDraft } from './draft.ts'
import { phaseLabels, productLabels } from './words.ts'

interface Props {
  readonly phase: ListPhase
  readonly skip: SkipDraft
  readonly logging: boolean
  readonly onChange: (skip: SkipDraft) => void
  readonly onLogging: (logging: boolean) => void
}

const laterPhases = ['http_ratelimit', 'http_request_firewall_managed']

/** What a custom rule or a rule beside rate limits leaves out of what comes after it. */
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
              description="There are none of these here, so nothing is left out. Rules that name them can be kept as they are."
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
      description="A request that is let through is an event, so that you can see what for."
      checked={logging}
      onChange={event => onLogging(event.currentTarget.checked)}
    />
  )
}
