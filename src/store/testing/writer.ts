/**
 * A process that writes until it is killed; the tests start it with the path of a database and a count.
 * It prints the id of each zone once it is committed.
 */
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../sqlite/open.ts'
import { anAccount, aRuleset, aZone, testCipher } from './data.ts'

const [path, count] = process.argv.slice(2)
const store = await openSqliteStore(path!, { migrate: true, cipher: testCipher })
const account = anAccount()
await store.accounts.insert(account)
for (let n = 0; n < Number(count); n++) {
  const zone = aZone(account.id)
  await store.zones.insert(zone)
  const ruleset = aRuleset({ kind: 'zone', id: zone.id })
  await store.rulesets.insert(ruleset)
  await store.rulesets.update({ ...ruleset, version: 2, description: 'x'.repeat(20_000) })
  writeSync(1, `${zone.id}\n`)
}
await store.close()
