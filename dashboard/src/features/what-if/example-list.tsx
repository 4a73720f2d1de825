import { Group, Stack, Text, Title } from '@mantine/core'
import type { WhatIfCell } from '../../api/types.ts'
import { pathCondition } from '../../domain/expression/path-condition.ts'
import { exceptionSearch } from '../../domain/links/exception-link.ts'
import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import classes from './cell-panel.module.css'

type Example = WhatIfCell['examples'][number]

interface Props {
  readonly examples: readonly Example[]
  readonly threshold: number
}

/** The newest requests that the cell would mitigate, with their matches. */
export function ExampleList({ examples, threshold }: Props) {
  return (
    <section aria-label="Examples">
      <Title order={3} mb="xs">
        Examples, newest first
      </Title>
      {examples.map(example => (
        <details key={example.ray_id} className={classes['example']}>
          <summary>
            <Text span size="xs" c="dimmed">
              {new Date(example.datetime).toLocaleString(undefined, {
                dateStyle: 'short',
                timeStyle: 'medium',
              })}
            </Text>
            <Text span fw={600} inherit>
              {example.method}
            </Text>
            <span className="wrap">{example.path}</span>
            <Text span c="dimmed" inherit>
              {example.client_ip}
            </Text>
            <span>
              {example.stopped_by_rule
                ? 'stopped by a single rule'
                : `score ${example.score} of ${threshold}`}
            </span>
          </summary>
          <Details example={example} />
        </details>
      ))}
    </section>
  )
}

function Details({ example }: { readonly example: Example }) {
  return (
    <Stack gap="xs" className={classes['details'] ?? ''}>
      <Group gap={4}>
        <Text size="sm">
          Ray ID <span className="mono">{example.ray_id}</span>
        </Text>
        <CopyButton text={example.ray_id} what="Ray ID" />
        <Text size="sm" c="dimmed">
          {example.host} ·{' '}
          {example.client_country === 'xx' ? 'unknown country' : example.client_country.toUpperCase()} ·{' '}
          {example.action === '' ? 'no action by the zone' : `action by the zone: ${example.action}`}
        </Text>
      </Group>
      {example.rules.length === 0 ? null : <RuleTable example={example} />}
    </Stack>
  )
}

function RuleTable({ example }: { readonly example: Example }) {
  const zoneId = useZoneId()
  return (
    <section
      className={classes['scroll']}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard focus
      tabIndex={0}
      aria-label={`Matched rules of ${example.ray_id}`}
    >
      <table className={classes['rules']}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Level</th>
            <th scope="col">Points</th>
            <th scope="col">Counted</th>
            <th scope="col">Exception</th>
          </tr>
        </thead>
        <tbody>
          {example.rules.map(rule => (
            <tr key={rule.id}>
              <td>{rule.description === '' ? rule.ref : rule.description}</td>
              <td>PL{rule.paranoia_level}</td>
              <td>{rule.score}</td>
              <td>{rule.counts ? 'Yes' : 'No: above the level'}</td>
              <td>
                <TextLink to={`/zones/${zoneId}/exceptions`} search={exceptionFor(example, rule)} inherit>
                  Create
                </TextLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The narrowest scope for a sample: this rule for this host and path. */
function exceptionFor(example: Example, rule: Example['rules'][number]): Readonly<Record<string, string>> {
  const host = example.host.replace(/:\d+$/, '').toLowerCase()
  return exceptionSearch({
    description: `Rule ${rule.ref} on ${example.path}`,
    expression: `http.host eq ${quoted(host)} and ${pathCondition(example.path)}`,
    rules: [rule.id],
  })
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
