import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { LeakedPasswords } from './leaked-passwords.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-leaked-'))
})
after(() => rm(folder, { recursive: true }))

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

async function listOf(passwords: readonly string[], end: string): Promise<LeakedPasswords> {
  const path = join(folder, `${passwords.length}${end.length}.txt`)
  const lines = passwords.map(hashOf).sort()
  await writeFile(path, lines.map((hash, at) => `${hash}:${at ** 2}${end}`).join(''))
  return LeakedPasswords.open(path)
}

test('every password of a list is found, and no other', async () => {
  for (const count of [0, 1, 2, 100, 3000]) {
    const passwords = Array.from({ length: count }, (_, at) => `pässword ${at}`)
    for (const end of ['\n', '\r\n']) {
      const list = await listOf(passwords, end)
      for (const [at, password] of passwords.entries()) {
        if (at % 7 === 0 || at > count - 3)
          assert.equal(await list.has(Buffer.from(password).toString('latin1')), true, password)
      }
      for (let at = 0; at < 200; at++) assert.equal(await list.has(`other ${at}`), false)
      await list.close()
    }
  }
})

test('a file that is no such list is refused with the setting and the reason', async () => {
  await assert.rejects(LeakedPasswords.open(join(folder, 'absent')), /SLUICE_LEAKED_PASSWORDS: .* ENOENT/)
  const [low = '', high = ''] = ['a', 'b'].map(hashOf).sort()
  for (const [name, text] of [
    ['plain', 'password\n123456\n'],
    ['unsorted', `${high}:1\n${low}:2\n`],
  ] as const) {
    const path = join(folder, name)
    await writeFile(path, text)
    await assert.rejects(LeakedPasswords.open(path), /is not a list of Pwned Passwords: .*ascending order/)
  }
})
