import { Type } from 'typebox'
import { closed, type KeptKind, oneOf, text } from './kind.ts'

const why = 'TLS settings hold for a whole zone'

/** The settings that Cloudflare has for single host names. */
export const hostnameTlsSettingIds = ['ciphers', 'http2', 'min_tls_version'] as const

/** Documents also have the `setting_id` and the `hostname`, from the path. @source Cloudflare API, TLS settings of host names */
export const hostnameTlsSettings: KeptKind = {
  kind: 'hostname_tls_setting',
  terraform: 'cloudflare_hostname_tls_setting',
  noun: 'a TLS setting of a host name',
  scope: 'zone',
  path: '/hostnames/settings/{setting_id}',
  body: Type.Object(
    {
      value: Type.Union([
        oneOf('1.0', '1.1', '1.2', '1.3', 'on', 'off'),
        Type.Array(text({ minLength: 1 }), { maxItems: 100 }),
      ]),
    },
    closed,
  ),
  defaults: {},
  computed: ({ createdOn, modifiedOn }) => ({
    created_at: createdOn,
    status: 'pending_deployment',
    updated_at: modifiedOn,
  }),
  withoutMeaning: () => [{ pointer: '', what: 'a TLS setting of a host name', why }],
  nameOf: ({ setting_id: setting, hostname }) => `${setting} of ${hostname}`,
  why,
}
