import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { installedKey, keepSecretKey, openDatabase, SecretKeyError } from '../../../app/index.ts'
import { type Cipher, newCipher } from '../../../kit/cipher.ts'
import { parseKey, type Settings } from '../../../model/settings/index.ts'
import { copyDatabase, openSqliteStore } from '../../../store/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { checkedManifest, databaseName, keyName } from './manifest.ts'

/** `sluice restore DIR`. */
export async function restoreCommand(commandLine: readonly string[]): Promise<void> {
  const { words, settings } = parseCommandLine(commandLine)
  const [folder, ...rest] = words
  if (folder === undefined || rest.length > 0)
    throw new UsageError('use `sluice restore DIR`', { command: 'restore' })
  const manifest = await checkedManifest(folder)
  const embedded = settings.databaseUrl === undefined
  if (embedded) await requireEmpty(settings.data)
  const { key, isOfBackup } = await keyFor(settings, folder)
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const draft = join(settings.data, `restore-${process.pid}.db`)
  try {
    // A copy of the file would have the mode of the backup.
    const file = createWriteStream(draft, { mode: 0o600, flags: 'wx' })
    await pipeline(createReadStream(join(folder, databaseName)), file)
    await prepare(draft, newCipher(key))
    if (!embedded) await copyOut(settings, draft, newCipher(key))
    if (isOfBackup) await keepSecretKey(settings.data, key)
    if (embedded) await rename(draft, join(settings.data, databaseName))
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${draft}${end}`, { force: true })
  }
  console.log(`restored the backup of ${manifest.madeOn} (${manifest.madeBy}, ${manifest.rows} rows)`)
  console.log('Next: start Sluice. Log records after the backup: `sluice restore --help`.')
}

/** Migrates a backup of an earlier version, and checks that it has this key. */
async function prepare(path: string, cipher: Cipher): Promise<void> {
  const store = await openSqliteStore(path, { migrate: true, cipher })
  await store.close()
}

async function copyOut(settings: Settings, draft: string, cipher: Cipher): Promise<void> {
  const from = await openDatabase(settings, `sqlite:${draft}`)
  try {
    const to = await openDatabase(settings, undefined)
    try {
      await copyDatabase(from, to, cipher)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** The files of a start belong to another database. */
async function requireEmpty(data: string): Promise<void> {
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const other = names.find(name => name !== keyName)
  if (other !== undefined)
    throw new Error(`${data} is in use: it has ${other}. Restore into a new data directory, with --data`)
}

async function keyFor(settings: Settings, folder: string) {
  try {
    return { key: await installedKey(settings), isOfBackup: false }
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    const text = await readFile(join(folder, keyName), 'utf8').catch(() => {
      throw new Error(
        `the backup has no key: set SLUICE_SECRET_KEY to the key of the installation, or put its file secret-key into ${settings.data}`,
        { cause: error },
      )
    })
    const key = parseKey(text.trim())
    if (key === undefined) throw new Error(`${join(folder, keyName)} does not contain a key of 64 hex digits`)
    return { key, isOfBackup: true }
  }
}
