import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type Cipher, newCipher } from '../../kit/cipher.ts'
import { checkDatabase, openSqliteDatabase, openSqliteStore } from '../index.ts'
import { aJob, jobIn, testCipher, zoneIn } from '../testing/data.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-check-'))
after(() => rmSync(directory, { recursive: true }))
const path = join(directory, 'sluice.db')
const store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
const jobId = await jobIn(store)
const { id: zoneId } = await zoneIn(store)
await store.close()
const otherCipher = newCipher(new Uint8Array(32).fill(8))

/** The problems after these statements, which are undone afterwards. */
async function problemsAfter(statements: string, cipher: Cipher = testCipher): Promise<readonly string[]> {
  const changed = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  changed.exec(`vacuum into '${path}.kept'; ${statements}`)
  changed.close()
  const database = openSqliteDatabase(path)
  const problems = await checkDatabase(database, cipher)
  await database.close()
  rmSync(path)
  const kept = new DatabaseSync(`${path}.kept`)
  kept.exec(`vacuum into '${path}'`)
  kept.close()
  rmSync(`${path}.kept`)
  return problems.map(({ found, remedy }) => `${found} → ${remedy}`)
}

test('each fault is found and comes with its remedy', async () => {
  const sealed = otherCipher.seal(aJob({ kind: 'zone', id: zoneId }).destinationConf)
  const restore = 'restore the newest backup without this problem'
  for (const [statements, problem] of [
    ['', undefined],
    [
      `delete from zones where id <> '${zoneId}'`,
      `1 rows of jobs refer to rows of zones that do not exist → delete them, or ${restore}`,
    ],
    [
      `update jobs set destination = '${sealed}'`,
      `1 of 1 values of jobs.destination cannot be decrypted: ${jobId} → set destination_conf of these jobs again`,
    ],
    [
      `update counters set value = 0 where name = 'job'`,
      `the counter job is at 0, and jobs has ${jobId} already → ${restore}`,
    ],
    [`delete from counters where name = 'change'`, `the counter change is missing → ${restore}`],
    [
      `delete from secrets where name = 'seal-check'`,
      'the check of the key is missing → restore the newest backup',
    ],
    [
      'delete from schema_migrations where number > 7',
      /^the database is at schema 7 of \d+ → start Sluice with the control role, or run `npx sluice db migrate`$/,
    ],
  ] as const) {
    const [found, ...others] = await problemsAfter(statements)
    assert.deepEqual(others, [], statements)
    if (problem instanceof RegExp) assert.match(found!, problem)
    else assert.equal(found, problem)
  }
})

test('another key is one problem, regardless of the number of values', async () => {
  const [found, ...others] = await problemsAfter('', otherCipher)
  assert.deepEqual(others, [])
  assert.match(found!, /encrypted with another key → set SLUICE_SECRET_KEY to that key/)
})
