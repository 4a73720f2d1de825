import { everything, permissionGroups } from '../api/index.ts'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { hashSecret, newToken } from '../kit/secrets.ts'
import type { TokenPolicy } from '../model/resource.ts'
import type { Store } from '../store/index.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

const usage =
  'use `sluice tokens list`, `sluice tokens create NAME [--permissions NAMES] [--zone NAME]` or `sluice tokens revoke ID`'

/** `sluice tokens create NAME`, `list` and `revoke ID`. */
export async function tokensCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['permissions', 'zone'])
  const [verb, argument] = words
  await withStore(settings, async store => {
    if (verb === 'list' && words.length === 1) {
      for (const token of await store.tokens.list()) {
        const used = token.lastUsedOn === undefined ? 'never used' : `used ${token.lastUsedOn}`
        console.log(`${token.id}  ${token.createdOn}  ${token.status}  ${used}  ${token.name}`)
      }
    } else if (verb === 'create' && argument !== undefined && words.length === 2) {
      const policies = await policiesOf(store, flags)
      const value = newToken()
      const now = timestampOf(Date.now())
      await store.tokens.insert({
        id: newId(),
        name: argument,
        hash: hashSecret(value),
        userId: (await store.users.byEmail(settings.adminEmail))?.id ?? '',
        status: 'active',
        policies,
        createdOn: now,
        modifiedOn: now,
      })
      console.log(value)
    } else if (verb === 'revoke' && argument !== undefined && words.length === 2) {
      if (!(await store.tokens.delete(argument)))
        throw new Error(`there is no token ${argument}; see \`npx sluice tokens list\``)
      console.log(`${argument} is revoked`)
    } else throw new UsageError(usage)
  })
}

/** Everything, unless the flags say which permissions, and on which zone. */
async function policiesOf(store: Store, flags: ReadonlyMap<string, string>): Promise<readonly TokenPolicy[]> {
  const names = flags.get('permissions')
  const zoneName = flags.get('zone')
  if (names === undefined && zoneName === undefined) return [{ id: newId(), ...everything }]
  if (names === undefined)
    throw new UsageError('--zone needs --permissions, such as --permissions "Zone WAF Write"')
  const zone = zoneName === undefined ? undefined : await store.zones.byName(zoneName.toLowerCase())
  if (zoneName !== undefined && zone === undefined) throw new Error(`there is no zone ${zoneName}`)
  const scopes = {
    zone:
      zone === undefined ? 'com.cloudflare.api.account.zone.*' : `com.cloudflare.api.account.zone.${zone.id}`,
    account: 'com.cloudflare.api.account.*',
    user: 'com.cloudflare.api.user.*',
  } as const
  const wanted = names.split(',').map(name => name.trim())
  for (const name of wanted) {
    const groups = permissionGroups.filter(group => group.name === name)
    if (groups.length === 0)
      throw new UsageError(`there is no permission '${name}'; docs/tokens.md lists them`)
    if (zone !== undefined && !groups.some(group => group.scopes.includes('zone')))
      throw new UsageError(
        `'${name}' is no permission of zones; leave out --zone, or make a token of its own`,
      )
  }
  const policies = (Object.keys(scopes) as (keyof typeof scopes)[]).map(scope => ({
    id: newId(),
    effect: 'allow' as const,
    permissionGroups: permissionGroups
      .filter(group => wanted.includes(group.name) && group.scopes.includes(scope))
      .map(({ id }) => ({ id })),
    resources: { [scopes[scope]]: '*' },
  }))
  // A token for one zone has nothing to do with its account.
  return policies.filter(
    (policy, at) => policy.permissionGroups.length > 0 && (zone === undefined || at === 0),
  )
}
