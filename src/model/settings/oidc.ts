import type { DeclarationOf } from './declaration.ts'
import { parseUrl } from './values.ts'

export interface OidcSettings {
  /** URL; undefined: there is no identity provider. */
  readonly oidcIssuer: string | undefined
  readonly oidcClientId: string | undefined
  readonly oidcClientSecret: string | undefined
  readonly oidcRoleClaim: string
  /** Empty: members get their roles here. */
  readonly oidcRoles: readonly OidcRole[]
}

/** Users with this value in the claim have this role. */
export interface OidcRole {
  /** `*` for every user. */
  readonly value: string
  readonly role: 'administrator' | 'editor' | 'analyst'
}

const text = (value: string) => (value === '' ? undefined : value)

export const oidcSettings: readonly DeclarationOf<keyof OidcSettings>[] = [
  {
    key: 'oidcIssuer',
    variable: 'SLUICE_OIDC_ISSUER',
    help: 'issuer URL of an OpenID Connect provider where users can sign in to the dashboard',
    allowed: 'an https:// URL, or http:// on this machine, such as https://login.example.com/realms/team',
    default: undefined,
    needs: 'SLUICE_OIDC_CLIENT_ID',
    parse: parseIssuer,
  },
  {
    key: 'oidcClientId',
    variable: 'SLUICE_OIDC_CLIENT_ID',
    help: 'id of Sluice at the provider',
    allowed: 'a text',
    default: undefined,
    parse: text,
  },
  {
    key: 'oidcClientSecret',
    variable: 'SLUICE_OIDC_CLIENT_SECRET',
    help: 'secret of Sluice at the provider; without it, Sluice is a public client',
    allowed: 'a text',
    default: undefined,
    needs: 'SLUICE_OIDC_ISSUER',
    parse: text,
  },
  {
    key: 'oidcRoleClaim',
    variable: 'SLUICE_OIDC_ROLE_CLAIM',
    help: 'claim with the groups of a user',
    allowed: 'the name of a claim whose value is a text or a list of texts',
    default: 'groups',
    parse: text,
  },
  {
    key: 'oidcRoles',
    variable: 'SLUICE_OIDC_ROLES',
    help: 'roles in the first account by value of that claim; * stands for every user. Without it, only members sign in',
    allowed:
      'a comma-separated list of VALUE=ROLE with administrator, editor or analyst, such as admins=administrator,*=analyst',
    default: undefined,
    needs: 'SLUICE_OIDC_ISSUER',
    parse: parseRoleList,
  },
]

function parseIssuer(value: string): string | undefined {
  const url = parseUrl(value, ['https:', 'http:'])
  if (url === undefined) return undefined
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname) ? url : undefined
}

function parseRoleList(value: string): readonly OidcRole[] | undefined {
  const roles = value
    .split(',')
    .map(part => /^\s*(\S.*?)\s*=\s*(administrator|editor|analyst)\s*$/.exec(part))
  if (roles.some(match => match === null)) return undefined
  return roles.map(match => ({ value: match![1]!, role: match![2] as OidcRole['role'] }))
}
