import { domainName, originUrl } from '../api/index.ts'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

/** `sluice zones add NAME --origin URL` and `sluice zones list`. */
export async function zonesCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['origin'])
  const [verb, name] = words
  if (verb === 'list' && words.length === 1) {
    await withStore(settings, async store => {
      for (const zone of await store.zones.list()) console.log(`${zone.id}  ${zone.name}  ${zone.originUrl}`)
    })
    return
  }
  if (verb !== 'add' || name === undefined || words.length > 2)
    throw new UsageError('use `sluice zones list` or `sluice zones add NAME --origin URL`')
  const origin = flags.get('origin')
  if (origin === undefined)
    throw new UsageError('zones add needs --origin URL, such as --origin http://127.0.0.1:9000')
  const zone = { name: domainName(name), originUrl: originUrl(origin) }
  await withStore(settings, async store => {
    const [account] = await store.accounts.list()
    if (account === undefined) throw new Error('there is no account yet: run `npx sluice serve` once')
    if ((await store.zones.byName(zone.name)) !== undefined)
      throw new Error(`the zone ${zone.name} is there already`)
    const now = timestampOf(Date.now())
    const id = newId()
    await store.zones.insert({
      id,
      accountId: account.id,
      ...zone,
      paused: false,
      createdOn: now,
      modifiedOn: now,
    })
    console.log(`${id}  ${zone.name}  ${zone.originUrl}`)
  })
}
