import { useParams } from '@tanstack/react-router'
import { useRead, useSession } from './hooks.ts'

type Place = 'zone' | 'account' | 'user'

/** What tokens are allowed: place and name of the pair of permission groups, as docs/tokens.md lists them. */
const areas = {
  zone: ['zone', 'Zone'],
  zoneWaf: ['zone', 'Zone WAF'],
  zoneLogs: ['zone', 'Logs'],
  zoneTransform: ['zone', 'Zone Transform Rules'],
  zoneRedirect: ['zone', 'Dynamic URL Redirects'],
  zoneOrigin: ['zone', 'Origin'],
  zoneConfig: ['zone', 'Config Settings'],
  zoneSanitize: ['zone', 'Sanitize'],
  account: ['account', 'Account Settings'],
  accountWaf: ['account', 'Account WAF'],
  accountRulesets: ['account', 'Account Rulesets'],
  accountLists: ['account', 'Account Rule Lists'],
  accountLogs: ['account', 'Logs'],
  accountTransform: ['account', 'Transform Rules'],
  accountConfig: ['account', 'Select Configuration'],
  requestTracer: ['account', 'Allow Request Tracer'],
  accountTokens: ['account', 'Account API Tokens'],
  userTokens: ['user', 'API Tokens'],
} as const satisfies Readonly<Record<string, readonly [Place, string]>>

export type Area = keyof typeof areas

/** `zoneWaf write` is Zone WAF Write on the zone of the address; on pages of the account, on every zone. */
export type Permission = `${Area} ${'read' | 'write'}`

export interface May {
  /** True until it is known: a refusal of the API says so in any case. */
  readonly may: boolean
  /** Why not, for a person; undefined when they may. */
  readonly reason: string | undefined
}

/** May the token do this here? Controls that it may not use are shown disabled, with the reason. */
export function useMay(...permissions: readonly Permission[]): May {
  const { accountId } = useSession()
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
    const [place, name] = groupOf(permission)
    const groups = granted[place]
    return groups !== undefined && !groups.includes(name)
  })
  if (missing.length === 0) return { may: true, reason: undefined }
  const texts = missing.map(permission => {
    const [place, name] = groupOf(permission)
    return `“${name}” ${placeText(place, zoneId)}`
  })
  return { may: false, reason: `Your token lacks ${texts.join(' and ')}.` }
}

const freshMs = 60_000

function groupOf(permission: Permission): readonly [Place, string] {
  const [area, level] = permission.split(' ') as [Area, 'read' | 'write']
  const [place, name] = areas[area]
  return [place, `${name} ${level === 'write' ? 'Write' : 'Read'}`]
}

function placeText(place: Place, zoneId: string | undefined): string {
  if (place === 'user') return 'on its user'
  if (place === 'account') return 'on the account'
  return zoneId === undefined ? 'on all zones of the account' : 'on this zone'
}
