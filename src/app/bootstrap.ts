import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { hashSecret, newKey, newToken } from '../kit/secrets.ts'
import type { Settings } from '../model/settings.ts'
import { replaceEntryPoint } from '../rulesets/index.ts'
import type { Store } from '../store/index.ts'

/** The managed ruleset that the first zone is protected by. */
const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f'

/** What a first start made and tells once. */
export interface FirstStart {
  readonly token: string
  readonly email: string
  readonly key: string
}

/**
 * Makes the account, the administrator's credentials and the zone `localhost` where there are none yet, and takes over
 * credentials that the settings give. Safe to run at every start.
 * @returns what to tell the person at the first start; undefined later
 */
export async function bootstrap(
  store: Store,
  settings: Settings,
  sampleSiteUrl: () => Promise<string>,
): Promise<FirstStart | undefined> {
  const [account] = await store.accounts.list()
  if (account !== undefined) {
    await takeCredentials(store, settings)
    return undefined
  }
  const accountId = newId()
  await store.accounts.insert({ id: accountId, name: 'Sluice', createdOn: timestampOf(Date.now()) })
  const token = settings.adminToken ?? newToken()
  const key = settings.adminKey ?? newKey()
  await insertToken(store, token)
  await store.users.put({ id: newId(), email: settings.adminEmail, keyHash: hashSecret(key) })
  await keepSecret(join(settings.data, 'admin-token'), token)
  await keepSecret(join(settings.data, 'admin-key'), key)
  await makeDemoZone(store, accountId, await sampleSiteUrl())
  return { token, email: settings.adminEmail, key }
}

/** Settings win over what is stored, so that a lost token can be replaced by a restart. */
async function takeCredentials(store: Store, settings: Settings): Promise<void> {
  const { adminToken, adminKey, adminEmail } = settings
  if (adminToken !== undefined && (await store.tokens.byHash(hashSecret(adminToken))) === undefined) {
    await insertToken(store, adminToken)
    await keepSecret(join(settings.data, 'admin-token'), adminToken)
  }
  if (adminKey === undefined) return
  const user = await store.users.byEmail(adminEmail)
  if (user?.keyHash === hashSecret(adminKey)) return
  await store.users.put({ id: user?.id ?? newId(), email: adminEmail, keyHash: hashSecret(adminKey) })
  await keepSecret(join(settings.data, 'admin-key'), adminKey)
}

async function insertToken(store: Store, token: string): Promise<void> {
  await store.tokens.insert({
    id: newId(),
    name: 'admin',
    hash: hashSecret(token),
    createdOn: timestampOf(Date.now()),
  })
}

async function keepSecret(path: string, secret: string): Promise<void> {
  await writeFile(path, `${secret}\n`, { mode: 0o600 })
  await chmod(path, 0o600)
}

/** The zone that a newcomer tries first: a sample site behind the OWASP ruleset. */
async function makeDemoZone(store: Store, accountId: string, originUrl: string): Promise<void> {
  const now = timestampOf(Date.now())
  const id = newId()
  await store.zones.insert({
    id,
    accountId,
    name: 'localhost',
    originUrl,
    paused: false,
    createdOn: now,
    modifiedOn: now,
  })
  const release = await store.crs.active()
  const managed = release === undefined ? [] : await store.crs.managedRulesets(release.version)
  const entryPoint = replaceEntryPoint(
    undefined,
    'http_request_firewall_managed',
    {
      rules: [
        {
          action: 'execute',
          expression: 'true',
          description: 'OWASP Core Ruleset, paranoia level 1',
          action_parameters: {
            id: owaspRulesetId,
            overrides: {
              categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
              rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5 }],
            },
          },
        },
      ],
    },
    {
      scope: { kind: 'zone', id },
      now,
      newId,
      managed: wanted => managed.find(ruleset => ruleset.id === wanted),
    },
  )
  if (!entryPoint.ok) throw new Error(`the demo zone cannot be protected: ${entryPoint.problem.message}`)
  await store.rulesets.insert(entryPoint.value)
}

/** The administrator's token as the first start kept it, for the CLI's hints. */
export async function readAdminToken(data: string): Promise<string | undefined> {
  try {
    return (await readFile(join(data, 'admin-token'), 'utf8')).trim()
  } catch {
    return undefined
  }
}
