import { chmod, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedKey, openDatabase } from '../../../app/index.ts'
import { newCipher } from '../../../kit/cipher.ts'
import { makeFolder } from '../../../kit/folders.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { copyDatabase, schemaNumber } from '../../../store/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { versionText } from '../../version.ts'
import { databaseName, type FileSum, keyName, type Manifest, manifestName, sumOf } from './manifest.ts'

/** `sluice backup DIR [--with-key]`. */
export async function backupCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['with-key'])
  const [folder, ...rest] = words
  if (folder === undefined || rest.length > 0)
    throw new UsageError('use `sluice backup DIR [--with-key]`', { command: 'backup' })
  const { rows, files } = await writeBackup(settings, folder, flags.has('with-key'))
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0)
  console.log(`${rows} rows in ${folder} (${Math.ceil(bytes / 2 ** 20)} MiB)`)
  if (!(keyName in files))
    console.log('The key is not in the backup: keep SLUICE_SECRET_KEY or the file secret-key separately.')
}

/** @throws Error after which the folder has no backup */
async function writeBackup(settings: Settings, folder: string, withKey: boolean): Promise<Manifest> {
  const key = await installedKey(settings)
  await makeFolder(join(folder, '..'))
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: name a new folder`)
    await chmod(folder, 0o700)
  })
  try {
    const rows = await copyInto(join(folder, databaseName), settings, key)
    const names = [databaseName]
    if (withKey) {
      names.push(keyName)
      const text = `${Buffer.from(key).toString('hex')}\n`
      await writeFile(join(folder, keyName), text, { mode: 0o600, flush: true })
    }
    const files: Record<string, FileSum> = {}
    for (const name of names) files[name] = await sumOf(join(folder, name))
    const [madeBy] = versionText().split(' (')
    const manifest: Manifest = {
      format: 1,
      madeBy: madeBy!,
      madeOn: new Date().toISOString(),
      schema: schemaNumber,
      rows,
      files,
    }
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`
    // The last file: a folder without it is not a backup.
    await writeFile(join(folder, manifestName), text, { mode: 0o600, flush: true })
    return manifest
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name))
    throw error
  }
}

/** @returns the number of rows */
async function copyInto(path: string, settings: Settings, key: Uint8Array): Promise<number> {
  // Before SQLite opens it, so that no other user can ever read it.
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  const from = await openDatabase(settings, undefined)
  try {
    const to = await openDatabase(settings, `sqlite:${path}`)
    try {
      const counts = await copyDatabase(from, to, newCipher(key))
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
    const file = await open(path, 'r+')
    await file.sync()
    await file.close()
  }
}
