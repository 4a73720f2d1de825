import { type AuditedChange, everything, permissionGroups, tokenToWire } from '../../api/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { hashSecret, newToken } from '../../kit/secrets.ts'
import type { ApiToken, TokenPolicy } from '../../model/resource.ts'
import type { Store } from '../../store/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'
import { withStore } from '../with-store.ts'

/** The output of `sluice tokens --help`. */
export const tokensHelp = `sluice tokens: tokens for the API

  sluice tokens list
      One line per token: id, creation time, status, last use, name. The value is never shown.

  sluice tokens create NAME [--permissions NAMES] [--zone NAME]
      Makes a token and prints its value once. Without --permissions it has every permission.

      --permissions NAMES   permission groups, separated by commas; docs/reference/api.md lists them
      --zone NAME           for this zone only

  sluice tokens revoke ID
      Revokes a token at once.

Example:
  sluice tokens create deploy --permissions "Zone Read,Zone WAF Write" --zone shop.example`

const usage =
  'use `sluice tokens list`, `sluice tokens create NAME [--permissions NAMES] [--zone NAME]` or `sluice tokens revoke ID`'

/** `sluice tokens create NAME`, `list` and `revoke ID`. */
export async function tokensCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['permissions', 'zone'])
  const [verb, argument] = words
  await withStore(settings, `sluice tokens ${verb ?? ''}`, async (store, audit) => {
    if (verb === 'list' && words.length === 1) {
      for (const token of await store.tokens.list()) {
        const used = token.lastUsedOn === undefined ? 'never used' : `used ${token.lastUsedOn}`
        console.log(`${token.id}  ${token.createdOn}  ${token.status}  ${used}  ${token.name}`)
      }
    } else if (verb === 'create' && argument !== undefined && words.length === 2) {
      const policies = await policiesOf(store, flags)
      const value = newToken()
      const now = timestampOf(Date.now())
      const token: ApiToken = {
        id: newId(),
        name: argument,
        hash: hashSecret(value),
        userId: (await store.users.byEmail(settings.adminEmail))?.id ?? '',
        status: 'active',
        policies,
        createdOn: now,
        modifiedOn: now,
      }
      await store.tokens.insert(token, audit.entry(changeOf('create', token)))
      console.log(value)
    } else if (verb === 'revoke' && argument !== undefined && words.length === 2) {
      const token = await store.tokens.get(argument)
      if (
        token === undefined ||
        !(await store.tokens.delete(argument, audit.entry(changeOf('delete', token))))
      )
        throw new Error(`there is no token ${argument}; see \`npx sluice tokens list\``)
      console.log(`${argument} is revoked`)
    } else throw new UsageError(usage, { command: 'tokens' })
  })
}

function changeOf(action: 'create' | 'delete', token: ApiToken): AuditedChange {
  const shown = tokenToWire(token, Date.now())
  const resource = { kind: 'token', id: token.id }
  return action === 'create'
    ? { action, resource, before: null, after: shown }
    : { action, resource, before: shown, after: null }
}

/** Every permission, unless the flags name permissions and a zone. */
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
      throw new UsageError(`there is no permission '${name}'; docs/reference/api.md lists them`)
    if (zone !== undefined && !groups.some(group => group.scopes.includes('zone')))
      throw new UsageError(`'${name}' is not a permission of zones; omit --zone, or make a separate token`)
  }
  const policies = (Object.keys(scopes) as (keyof typeof scopes)[]).map(scope => ({
    id: newId(),
    effect: 'allow' as const,
    permissionGroups: permissionGroups
      .filter(group => wanted.includes(group.name) && group.scopes.includes(scope))
      .map(({ id }) => ({ id })),
    resources: { [scopes[scope]]: '*' },
  }))
  // A token for one zone has no permissions on its account.
  return policies.filter(
    (policy, at) => policy.permissionGroups.length > 0 && (zone === undefined || at === 0),
  )
}
