import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { everything } from '../api/index.ts'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { hashSecret, newKey, newToken } from '../kit/secrets.ts'
import type { Settings } from '../model/settings.ts'
import { replaceEntryPoint } from '../rulesets/index.ts'
import type { Store } from '../store/index.ts'

/** Kept in the store once the first start is complete. */
const marker = 'bootstrapped-on'

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
  if ((await store.secrets.get(marker)) !== undefined) {
    await takeCredentials(store, settings)
    return undefined
  }
  // Each step can be done again: a start that was killed is finished by the next one.
  const accountId = await ensureAccount(store)
  const token = settings.adminToken ?? (await readSecret(join(settings.data, 'admin-token'))) ?? newToken()
  const key = settings.adminKey ?? (await readSecret(join(settings.data, 'admin-key'))) ?? newKey()
  await keepSecret(join(settings.data, 'admin-token'), token)
  await keepSecret(join(settings.data, 'admin-key'), key)
  const userId = await putUser(store, settings.adminEmail, key)
  await ensureToken(store, token, userId)
  await ensureDemoZone(store, accountId, await sampleSiteUrl())
  await store.secrets.putOnce(marker, timestampOf(Date.now()))
  return { token, email: settings.adminEmail, key }
}

async function ensureAccount(store: Store): Promise<string> {
  const [account] = await store.accounts.list()
  if (account !== undefined) return account.id
  const id = newId()
  await store.accounts.insert({ id, name: 'Sluice', createdOn: timestampOf(Date.now()) })
  return id
}

/** Settings win over what is stored, so that a lost token can be replaced by a restart. */
async function takeCredentials(store: Store, settings: Settings): Promise<void> {
  const { adminToken, adminKey, adminEmail } = settings
  let user = await store.users.byEmail(adminEmail)
  if (adminKey !== undefined && user?.keyHash !== hashSecret(adminKey)) {
    await putUser(store, adminEmail, adminKey)
    user = await store.users.byEmail(adminEmail)
    await keepSecret(join(settings.data, 'admin-key'), adminKey)
  }
  if (adminToken !== undefined && (await ensureToken(store, adminToken, user?.id ?? '')))
    await keepSecret(join(settings.data, 'admin-token'), adminToken)
}

/** @returns the user's id, which stays when the key changes */
async function putUser(store: Store, email: string, key: string): Promise<string> {
  const id = (await store.users.byEmail(email))?.id ?? newId()
  await store.users.put({ id, email, keyHash: hashSecret(key) })
  return id
}

/**
 * The administrator's token may do everything.
 * @returns whether it was not known yet
 */
async function ensureToken(store: Store, token: string, userId: string): Promise<boolean> {
  const hash = hashSecret(token)
  if ((await store.tokens.byHash(hash)) !== undefined) return false
  const now = timestampOf(Date.now())
  await store.tokens.insert({
    id: newId(),
    name: 'admin',
    hash,
    userId,
    status: 'active',
    policies: [{ id: newId(), ...everything }],
    createdOn: now,
    modifiedOn: now,
  })
  return true
}

/** What a first start that was killed has kept already. */
async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined
  } catch {
    return undefined
  }
}

async function keepSecret(path: string, secret: string): Promise<void> {
  await writeFile(path, `${secret}\n`, { mode: 0o600 })
  await chmod(path, 0o600)
}

/** The zone that a newcomer tries first: a sample site behind the OWASP ruleset. */
async function ensureDemoZone(store: Store, accountId: string, originUrl: string): Promise<void> {
  const now = timestampOf(Date.now())
  const present = await store.zones.byName('localhost')
  const id = present?.id ?? newId()
  if (present === undefined) {
    const zone = {
      id,
      accountId,
      name: 'localhost',
      originUrl,
      paused: false,
      createdOn: now,
      modifiedOn: now,
    }
    await store.zones.insert(zone)
  }
  const scope = { kind: 'zone', id } as const
  if ((await store.rulesets.entryPoint(scope, phase)) !== undefined) return
  const release = await store.crs.active()
  const managed = release === undefined ? [] : await store.crs.managedRulesets(release.version)
  const entryPoint = replaceEntryPoint(undefined, phase, demoProtection, {
    scope,
    now,
    newId,
    managed: wanted => managed.find(ruleset => ruleset.id === wanted),
    custom: () => undefined,
    lists: () => undefined,
  })
  if (!entryPoint.ok) throw new Error(`the demo zone cannot be protected: ${entryPoint.problem.message}`)
  await store.rulesets.insert(entryPoint.value)
}

const phase = 'http_request_firewall_managed'

/** Paranoia level 1 and a threshold that one critical match reaches: what the CRS itself starts with. */
const demoProtection = {
  rules: [
    {
      action: 'execute',
      expression: 'true',
      description: 'OWASP Core Ruleset at paranoia level 1, acting from a score of 5',
      action_parameters: {
        id: '4814384a9e5d4991b9815dcfc25d2f1f',
        overrides: {
          categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
          rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5 }],
        },
      },
    },
  ],
}
