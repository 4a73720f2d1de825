import { Type } from 'typebox'
import { closed, type KeptSingleton } from './kind.ts'

const why = 'certificates are uploaded, or come by ACME'

/** @source Cloudflare API, Universal SSL settings */
export const universalSsl: KeptSingleton = {
  kind: 'universal_ssl',
  terraform: 'cloudflare_universal_ssl_setting',
  noun: 'the Universal SSL of a zone',
  scope: 'zone',
  path: '/ssl/universal/settings',
  write: 'PATCH',
  body: Type.Object({ enabled: Type.Boolean() }, closed),
  defaults: { enabled: false },
  computed: () => ({}),
  withoutMeaning: ({ enabled }) =>
    enabled === true ? [{ pointer: '/enabled', what: 'Universal SSL', why }] : [],
  why,
}
