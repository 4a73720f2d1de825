import { Type } from 'typebox'
import { closed, type KeptSingleton, oneOf } from './kind.ts'

const noCache = 'the edge keeps no cache'
const noNetwork = 'requests go to the origin directly: there is no network between data centers'

interface Switch {
  readonly kind: string
  readonly terraform: string
  readonly noun: string
  readonly path: string
  readonly why: string
}

/** Features that are on or off in a zone, outside its settings. @source Cloudflare API, Argo and cache */
const switches: readonly Switch[] = [
  {
    kind: 'smart_routing',
    terraform: 'cloudflare_argo_smart_routing',
    noun: 'Argo Smart Routing',
    path: '/argo/smart_routing',
    why: noNetwork,
  },
  {
    kind: 'tiered_caching',
    terraform: 'cloudflare_argo_tiered_caching',
    noun: 'Tiered Caching',
    path: '/argo/tiered_caching',
    why: noCache,
  },
  {
    kind: 'tiered_cache_smart_topology_enable',
    terraform: 'cloudflare_tiered_cache',
    noun: 'Smart Tiered Cache',
    path: '/cache/tiered_cache_smart_topology_enable',
    why: noCache,
  },
  {
    kind: 'tc_regional',
    terraform: 'cloudflare_regional_tiered_cache',
    noun: 'Regional Tiered Cache',
    path: '/cache/regional_tiered_cache',
    why: noCache,
  },
  {
    kind: 'cache_reserve',
    terraform: 'cloudflare_zone_cache_reserve',
    noun: 'Cache Reserve',
    path: '/cache/cache_reserve',
    why: noCache,
  },
]

export const keptSwitches: readonly KeptSingleton[] = switches.map(one => ({
  ...one,
  scope: 'zone',
  write: 'PATCH',
  body: Type.Object({ value: oneOf('on', 'off') }, closed),
  defaults: { value: 'off' },
  computed: ({ kind, createdOn, modifiedOn }) => ({
    id: kind,
    editable: true,
    modified_on: createdOn === '' ? null : modifiedOn,
  }),
  withoutMeaning: ({ value }) =>
    value === 'off' ? [] : [{ pointer: '/value', what: one.noun, why: one.why }],
}))
