import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  administrator,
  everything,
  newMember,
  type SystemActor,
  tokenToWire,
  zoneToWire,
} from '../../api/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { hashSecret, newKey, newToken } from '../../kit/secrets.ts'
import type { Account, ApiToken, JsonObject, Zone } from '../../model/resource.ts'
import type { Settings } from '../../model/settings/index.ts'
import { owaspRequestRulesetId } from '../../rulesets/index.ts'
import type { Store } from '../../store/index.ts'
import { type SystemAudit, systemAudit } from '../system-audit.ts'
import { deployOwasp } from './deploy-owasp.ts'

/** Kept in the store once the first start is complete. */
const marker = 'bootstrapped-on'

/** In the audit trail. */
export const startActor: SystemActor = { id: 'start', means: 'START', command: 'sluice serve' }

/** The credentials that a first start generated, with their files. Credentials from settings are not included. */
export interface FirstStart {
  readonly email: string
  /** Files that only their owner can read. */
  readonly tokenFile: string | undefined
  readonly keyFile: string | undefined
}

/**
 * Creates the account, the administrator's credentials and the zone `localhost` if they do not exist, and applies
 * credentials from the settings. Safe to run at every start.
 * @returns the generated credentials at the first start; undefined later
 */
export async function bootstrap(
  store: Store,
  settings: Settings,
  sampleSiteUrl: () => Promise<string>,
): Promise<FirstStart | undefined> {
  await ensureAccount(store)
  const audit = await systemAudit(store, startActor)
  if ((await store.secrets.get(marker)) !== undefined) {
    await takeCredentials(store, settings, audit)
    return undefined
  }
  // Each step can be repeated: the next start completes one that was killed.
  const [account] = await store.accounts.list()
  const tokenFile = join(settings.data, 'admin-token')
  const keyFile = join(settings.data, 'admin-key')
  const token = settings.adminToken ?? (await readSecret(tokenFile)) ?? newToken()
  const key = settings.adminKey ?? (await readSecret(keyFile)) ?? newKey()
  await keepSecret(tokenFile, token)
  await keepSecret(keyFile, key)
  const userId = await putUser(store, settings.adminEmail, key, audit)
  await ensureToken(store, token, userId, audit)
  await ensureDemoZone(store, account!, await sampleSiteUrl(), audit)
  await store.secrets.putOnce(marker, timestampOf(Date.now()))
  return {
    email: settings.adminEmail,
    tokenFile: settings.adminToken === undefined ? tokenFile : undefined,
    keyFile: settings.adminKey === undefined ? keyFile : undefined,
  }
}

/** The account that owns everything; created first, because audit entries belong to an account. */
export async function ensureAccount(store: Store): Promise<void> {
  if ((await store.accounts.list()).length > 0) return
  await store.accounts.insert({ id: newId(), name: 'Sluice', createdOn: timestampOf(Date.now()) })
}

/** Settings override the stored values, so that a restart can replace a lost token. */
async function takeCredentials(store: Store, settings: Settings, audit: SystemAudit): Promise<void> {
  const { adminToken, adminKey, adminEmail } = settings
  let user = await store.users.byEmail(adminEmail)
  if (adminKey !== undefined && user?.keyHash !== hashSecret(adminKey)) {
    await putUser(store, adminEmail, adminKey, audit)
    user = await store.users.byEmail(adminEmail)
    await keepSecret(join(settings.data, 'admin-key'), adminKey)
  }
  if (adminToken !== undefined && (await ensureToken(store, adminToken, user?.id ?? '', audit)))
    await keepSecret(join(settings.data, 'admin-token'), adminToken)
}

/**
 * The user is an administrator of the account.
 * @returns the user's id, which a change of the key keeps
 */
async function putUser(store: Store, email: string, key: string, audit: SystemAudit): Promise<string> {
  const present = await store.users.byEmail(email)
  const id = present?.id ?? newId()
  const keyHash = hashSecret(key)
  const action = present === undefined ? 'create' : 'update'
  const entry = audit.entry({ action, resource: { kind: 'user_key', id }, before: null, after: { email } })
  if (present === undefined) {
    const [account] = await store.accounts.list()
    const user = { id, email: email.toLowerCase(), keyHash }
    await store.users.insert(user, newMember(account!.id, id, [administrator.id], Date.now()), entry)
  } else await store.users.update(id, { keyHash }, entry)
  return id
}

/**
 * The administrator's token has every permission.
 * @returns whether it is new
 */
async function ensureToken(
  store: Store,
  token: string,
  userId: string,
  audit: SystemAudit,
): Promise<boolean> {
  const hash = hashSecret(token)
  if ((await store.tokens.byHash(hash)) !== undefined) return false
  const now = timestampOf(Date.now())
  const made: ApiToken = {
    id: newId(),
    name: 'admin',
    hash,
    userId,
    status: 'active',
    policies: [{ id: newId(), ...everything }],
    createdOn: now,
    modifiedOn: now,
  }
  const resource = { kind: 'token', id: made.id }
  const after = tokenToWire(made, Date.parse(now))
  await store.tokens.insert(made, audit.entry({ action: 'create', resource, before: null, after }))
  return true
}

/** The secret that a killed first start has already stored. */
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
async function ensureDemoZone(
  store: Store,
  account: Account,
  originUrl: string,
  audit: SystemAudit,
): Promise<void> {
  const present = await store.zones.byName('localhost')
  const id = present?.id ?? newId()
  if (present === undefined) {
    const now = timestampOf(Date.now())
    const times = { createdOn: now, modifiedOn: now }
    const zone: Zone = {
      id,
      accountId: account.id,
      name: 'localhost',
      originUrl,
      paused: false,
      type: 'full',
      ...times,
    }
    const resource = { kind: 'zone', id }
    const after = zoneToWire(zone, account)
    await store.zones.insert(
      zone,
      audit.entry({ action: 'create', resource, before: null, after, zoneId: id }),
    )
  }
  await deployOwasp(store, id, demoProtection, audit)
}

/** Paranoia level 1 and a threshold that one critical match reaches: the CRS's defaults. */
const demoProtection: JsonObject = {
  rules: [
    {
      action: 'execute',
      expression: 'true',
      description: 'OWASP Core Ruleset at paranoia level 1, acting from a score of 5',
      action_parameters: {
        id: owaspRequestRulesetId,
        overrides: {
          categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
          rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5 }],
        },
      },
    },
  ],
}
