import {
  healthchecks,
  hostnameTlsSettings,
  isSingleton,
  type KeptKind,
  keptKinds,
  keptSwitches,
} from '../../../coverage/index.ts'
import type { Json, JsonObject } from '../../../model/resource.ts'
import type { Members } from './hcl.ts'
import type { ResourceType } from './resource-type.ts'

/** Where the provider's resource is not the object of the API, by the kind. */
const differences: Readonly<Record<string, Partial<ResourceType>>> = {
  bot_management: {
    // The provider writes cf_robots_variant and never reads it.
    more: () => ({ cf_robots_variant: null }),
    lost: ({ cf_robots_variant: robots = 'off' }) =>
      robots === 'off' ? [] : [`cf_robots_variant = ${JSON.stringify(robots)}`],
  },
  page_rule: {
    members: ['priority', 'status'],
    more: pageRuleMembers,
    lost: ({ actions }) =>
      (actions as readonly JsonObject[])
        .filter(({ id }) => removedActions.includes(String(id)))
        .map(({ id }) => `actions.${String(id)}`),
  },
}

/** The provider plans changes of imported health checks, and imports settings of host names without their host name. */
const omitted: ReadonlySet<KeptKind> = new Set([healthchecks, hostnameTlsSettings, ...keptSwitches])

/** Resources that are stored and not enforced. The omitted ones become comments. */
export const keptTypes: readonly ResourceType[] = keptKinds
  .filter(kind => !omitted.has(kind))
  .map(kind => ({ ...keptType(kind), ...differences[kind.kind] }))

function keptType(kind: KeptKind): ResourceType {
  const members = Object.keys(kind.body.properties)
  const sent = (object: JsonObject) =>
    Object.fromEntries(members.filter(name => name in object).map(name => [name, object[name]!]))
  return {
    type: kind.terraform.replace('cloudflare_', ''),
    scopes: [kind.scope],
    path: kind.path.slice(1),
    members,
    label: object => kind.nameOf?.(object) ?? String(object['name']),
    ...(isSingleton(kind) && {
      isSingle: true,
      wanted: object => kind.withoutMeaning(sent(object)).length > 0,
      label: () => '',
      importId: ({ id }) => id,
    }),
  }
}

/** Of the API, and not of the provider. */
const removedActions: readonly string[] = [
  'always_online',
  'disable_railgun',
  'minify',
  'railgun',
  'server_side_exclude',
]

/** The provider has actions by their names, and `true` for those without a value. */
function pageRuleMembers({ targets, actions }: JsonObject): Members {
  const [{ constraint }] = targets as unknown as readonly [
    { readonly constraint: { readonly value: string } },
  ]
  const known = (actions as readonly { readonly id: string; readonly value?: Json }[]).filter(
    ({ id }) => !removedActions.includes(id),
  )
  return {
    target: constraint.value,
    actions: Object.fromEntries(known.map(({ id, value = true }) => [id, value])),
  }
}
