import { type Coverage, reasonOf, resourceTable, zoneSettingEnforcement } from '../../src/coverage/index.ts'
import { zoneSettingTable } from '../../src/model/zone-setting-table/index.ts'
import { actionEnforcement, configSettingEnforcement, phaseEnforcement } from '../../src/rulesets/index.ts'
import { code, part, table } from './markdown.ts'

const words = { enforced: 'enforced', partly: 'partly', not_enforced: 'not enforced', unknown: 'unknown' }

/** The status of each phase, action, zone setting and resource. */
export function coveragePart(): string {
  const settings = [...zoneSettingTable.keys()].map((name): [string, Coverage] => [
    name,
    zoneSettingEnforcement(name),
  ])
  const resources = [...resourceTable].map(([name, { coverage }]): [string, Coverage] => [name, coverage])
  return part('the tables of phases, actions, settings and resources', [
    '### Phases',
    tableOf('Phase', phaseEnforcement()),
    '### Actions',
    tableOf('Action', actionEnforcement()),
    '### Settings of configuration rules',
    'The action `set_config` in `http_config_settings`.',
    tableOf('Setting', configSettingEnforcement()),
    '### Zone settings',
    'A value that asks for what happens anyway is enforced: `rocket_loader` can always be `off`.',
    tableOf('Setting', settings),
    '### Resources',
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
