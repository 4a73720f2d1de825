import { useParams } from '@tanstack/react-router'
import { useRead, useSession } from './hooks.ts'

type Scope = 'zone' | 'account' | 'user'

/** Scope and name of a pair of permission groups, and the name of the second when it does not end in `Write`. */
type Pair = readonly [scope: Scope, name: string, write?: string]

/** Permissions of tokens, as docs/reference/api.md lists them. */
const areas = {
  zone: ['zone', 'Zone'],
  zoneSettings: ['zone', 'Zone Settings'],
  dns: ['zone', 'DNS'],
  loadBalancers: ['zone', 'Load Balancers'],
  zoneCertificates: ['zone', 'SSL and Certificates'],
  zoneWaf: ['zone', 'Zone WAF'],
  zoneLogs: ['zone', 'Logs'],
  zoneTransform: ['zone', 'Zone Transform Rules'],
  zoneRedirect: ['zone', 'Dynamic URL Redirects'],
  zoneOrigin: ['zone', 'Origin'],
  zoneConfig: ['zone', 'Config Settings'],
  zoneCompression: ['zone', 'Response Compression'],
  zoneSanitize: ['zone', 'Sanitize'],
  zoneErrors: ['zone', 'Custom Errors'],
  zonePages: ['zone', 'Custom Pages'],
  zoneCache: ['zone', 'Cache Settings'],
  zoneDdos: ['zone', 'HTTP DDoS Managed Ruleset'],
  zoneSnippets: ['zone', 'Snippets'],
  zoneConnector: ['zone', 'Cloud Connector'],
  zoneGateway: ['zone', 'Domain API Gateway', 'Domain API Gateway'],
  botManagement: ['zone', 'Bot Management'],
  account: ['account', 'Account Settings'],
  accountWaf: ['account', 'Account WAF'],
  accountRulesets: ['account', 'Account Rulesets'],
  accountLists: ['account', 'Account Rule Lists'],
  loadBalancingPools: ['account', 'Load Balancing: Monitors and Pools'],
  accountLogs: ['account', 'Logs'],
  accountTransform: ['account', 'Transform Rules'],
  accountRedirects: ['account', 'Mass URL Redirects'],
  accountConfig: ['account', 'Select Configuration'],
  accountPages: ['account', 'Account Custom Pages'],
  accountDdos: ['account', 'L4 DDoS Managed Ruleset'],
  magicFirewall: ['account', 'Magic Firewall'],
  notifications: ['account', 'Notifications'],
  requestTracer: ['account', 'Allow Request Tracer'],
  accountTokens: ['account', 'Account API Tokens'],
  userTokens: ['user', 'API Tokens'],
} as const satisfies Readonly<Record<string, Pair>>

export type Area = keyof typeof areas

/** `zoneWaf write` is Zone WAF Write on the current zone; on account pages, on every zone. */
export type Permission = `${Area} ${'read' | 'write'}`

export interface May {
  /** True until the permissions are loaded: the API refuses forbidden calls in any case. */
  readonly may: boolean
  /** The missing permission, for display; undefined when permitted. */
  readonly reason: string | undefined
}

/** Checks a permission of the session. Controls without permission are disabled and show the reason. */
export function useMay(...permissions: readonly Permission[]): May {
  const { accountId, token } = useSession()
  const { zoneId } = useParams({ strict: false }) as { readonly zoneId?: string }
  const general = useRead(
    'GET /accounts/{account_id}/permissions',
    { path: { account_id: accountId } },
    { staleMs: freshMs },
  )
  const own = useRead(
    'GET /zones/{zone_id}/permissions',
    { path: { zone_id: zoneId ?? '' } },
    { staleMs: freshMs, enabled: zoneId !== undefined },
  )
  const granted = {
    zone: zoneId === undefined ? general.data?.zones : own.data?.zone,
    account: general.data?.account,
    user: general.data?.user,
  }
  const missing = permissions.filter(permission => {
    const [scope, name] = groupOf(permission)
    const groups = granted[scope]
    return groups !== undefined && !groups.includes(name)
  })
  if (missing.length === 0) return { may: true, reason: undefined }
  const texts = missing.map(permission => {
    const [scope, name] = groupOf(permission)
    return `“${name}” ${scopeText(scope, zoneId)}`
  })
  return {
    may: false,
    reason: `Your ${token === undefined ? 'role' : 'token'} lacks ${texts.join(' and ')}.`,
  }
}

const freshMs = 60_000

function groupOf(permission: Permission): readonly [Scope, string] {
  const [area, level] = permission.split(' ') as [Area, 'read' | 'write']
  const [scope, name, write = `${name} Write`]: Pair = areas[area]
  return [scope, level === 'write' ? write : `${name} Read`]
}

function scopeText(scope: Scope, zoneId: string | undefined): string {
  if (scope === 'user') return 'on its user'
  if (scope === 'account') return 'on the account'
  return zoneId === undefined ? 'on all zones of the account' : 'on this zone'
}
