import { type Coverage, reasonOf, resourceTable, zoneSettingEnforcement } from '../../src/coverage/index.ts'
import { zoneSettingTable } from '../../src/model/zone-setting-table/index.ts'
import { actionEnforcement, configSettingEnforcement, phaseEnforcement } from '../../src/rulesets/index.ts'
import { code, page, table } from './markdown.ts'

const words = { enforced: 'enforced', partly: 'partly', not_enforced: 'not enforced', unknown: 'unknown' }

/** The status of each phase, action, zone setting and resource. */
export function coveragePage(): string {
  const settings = [...zoneSettingTable.keys()].map((name): [string, Coverage] => [
    name,
    zoneSettingEnforcement(name),
  ])
  const resources = [...resourceTable].map(([name, { coverage }]): [string, Coverage] => [name, coverage])
  return page('Coverage', 'the tables of phases, actions, settings and resources', [
    'A configuration for Cloudflare also holds items that have a smaller effect here, or none. `SLUICE_NOT_ENFORCED` decides what becomes of these: see [not enforced](rulesets.md#not-enforced). `sluice coverage` lists the stored items with their status, `sluice coverage plan.json` those of a Terraform plan, and the dashboard has a page for each zone.',
    '- **enforced**: it has the effect that Cloudflare documents.\n- **partly**: it has a part of this effect; the table says which.\n- **not enforced**: it has no effect. It is refused, or stored with a message. Where the table says that an apply fails, it is always refused.',
    'The tables describe the edge. Behind another proxy, the role `inspect` does not see all of a request and its response: [differences from the edge](../guides/behind-a-proxy.md#differences-from-the-edge) lists what has no effect there.',
    'A ruleset is partly enforced if a rule names a field without data, such as `cf.bot_management.score`: its value is the same for every request ([fields](fields.md)). So is a rule whose field needs a setting that is not set: `ip.src.asnum` without `SLUICE_GEO_DATABASES`, or `exposed_credential_check` without `SLUICE_LEAKED_PASSWORDS`. A write of such a rule succeeds, with the reason in `messages`. A plan with a managed list such as `$cf.malware` is refused, because only Cloudflare has the items.',
    'In a plan, values that a write refuses make a resource not enforced: an unknown dataset of a Logpush job, `icmp_ping` of a monitor, steering by place. The reason begins with `an apply fails`. Destinations of Logpush jobs are checked by the apply alone.',
    '## Phases',
    tableOf('Phase', phaseEnforcement()),
    '## Actions',
    tableOf('Action', actionEnforcement()),
    '## Settings of configuration rules',
    'The action `set_config` in `http_config_settings`.',
    tableOf('Setting', configSettingEnforcement()),
    '## Zone settings',
    'A value that asks for what happens anyway is enforced: `rocket_loader` can always be `off`.',
    tableOf('Setting', settings),
    '## Resources',
    'Types of the Terraform provider; each stands for the resource of the API.',
    tableOf('Resource', resources),
  ])
}

function tableOf(what: string, entries: Iterable<readonly [string, Coverage]>): string {
  const rows = [...entries].map(([name, coverage]) => [
    code(name),
    words[coverage.status],
    reasonOf(coverage),
  ])
  return table([what, 'Status', 'How, or why not'], rows)
}
