import { domainName, originUrl, zoneToWire } from '../../api/index.ts'
import { deployOwasp, owaspDefaults, type SystemAudit } from '../../app/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Zone } from '../../model/resource.ts'
import type { Store } from '../../store/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'
import { withStore } from '../with-store.ts'

/** The output of `sluice zones --help`. */
export const zonesHelp = `sluice zones: domains and their origins

  sluice zones list
      One line per zone: id, name, origin.

  sluice zones add NAME --origin URL [--unprotected]
      Adds a zone and deploys the managed OWASP ruleset to it with its defaults (all paranoia levels, threshold Medium,
      action Block), as the dashboard does. --unprotected deploys no rules.

      --origin URL      the address of its origin: http://HOST:PORT or https://HOST:PORT

Example:
  sluice zones add shop.example --origin http://127.0.0.1:9000`

/** `sluice zones add NAME --origin URL` and `sluice zones list`. */
export async function zonesCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['origin'], ['unprotected'])
  const [verb, name] = words
  if (verb === 'list' && words.length === 1) {
    await withStore(settings, 'sluice zones list', async store => {
      for (const zone of await store.zones.list()) console.log(lineOf(zone))
    })
    return
  }
  if (verb !== 'add' || name === undefined || words.length > 2)
    throw new UsageError('use `sluice zones list` or `sluice zones add NAME --origin URL [--unprotected]`', {
      command: 'zones',
    })
  const origin = flags.get('origin')
  if (origin === undefined)
    throw new UsageError('zones add needs --origin URL, such as --origin http://127.0.0.1:9000', {
      command: 'zones',
    })
  const edge = [...settings.edgeListen, ...settings.edgeTlsListen].filter(address => 'port' in address)
  const wanted = { name: domainName(name), originUrl: originUrl(origin, { edge, ...settings }) }
  await withStore(settings, 'sluice zones add', async (store, audit) => {
    const zone = await add(store, wanted, audit)
    console.log(lineOf(zone))
    await protect(store, zone, !flags.has('unprotected'), audit)
  })
}

async function add(
  store: Store,
  wanted: Pick<Zone, 'name' | 'originUrl'>,
  audit: SystemAudit,
): Promise<Zone> {
  const [account] = await store.accounts.list()
  if (account === undefined) throw new Error('there is no account yet: run `npx sluice serve` once')
  if ((await store.zones.byName(wanted.name)) !== undefined)
    throw new Error(`the zone ${wanted.name} exists already`)
  const now = timestampOf(Date.now())
  const times = { createdOn: now, modifiedOn: now }
  const zone: Zone = {
    id: newId(),
    accountId: account.id,
    ...wanted,
    paused: false,
    type: 'full',
    ...times,
  }
  const resource = { kind: 'zone', id: zone.id }
  const after = zoneToWire(zone, account)
  await store.zones.insert(
    zone,
    audit.entry({ action: 'create', resource, before: null, after, zoneId: zone.id }),
  )
  return zone
}

async function protect(store: Store, zone: Zone, wanted: boolean, audit: SystemAudit): Promise<void> {
  if (!wanted) {
    console.log('no rules are deployed: requests pass to the origin uninspected')
    return
  }
  try {
    await deployOwasp(store, zone.id, owaspDefaults, audit)
  } catch (error) {
    throw new Error(
      `the zone was added, but no rules are deployed and its requests pass uninspected: ${(error as Error).message}`,
      { cause: error },
    )
  }
  console.log(
    'the OWASP ruleset is deployed with its defaults: all paranoia levels, threshold Medium, action Block',
  )
}

function lineOf({ id, name, originUrl }: Zone): string {
  return `${id}  ${name}  ${originUrl ?? 'no origin'}`
}
