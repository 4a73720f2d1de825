import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cipherKeyBytes } from '../../kit/cipher.ts'
import type { Settings } from '../../model/settings/index.ts'
import { parseKey } from '../../model/settings/index.ts'

const fileName = 'secret-key'

/**
 * The key that encrypts secrets in the database: from the setting, else from the data directory.
 * @param make generates a missing key file, as the control role does for the embedded database
 * @throws SecretKeyError
 */
export async function secretKey({ secretKey: given, data }: Settings, make: boolean): Promise<Uint8Array> {
  if (given !== undefined) return given
  const path = join(data, fileName)
  const kept = await keptKey(path)
  if (kept !== undefined) return kept
  if (!make) {
    throw new SecretKeyError(
      `there is no key for the credentials in the database: set SLUICE_SECRET_KEY to the value of the other processes, or copy their file ${fileName} to ${path}`,
    )
  }
  await mkdir(data, { recursive: true, mode: 0o700 })
  await keepKey(path, randomBytes(cipherKeyBytes).toString('hex'))
  return (await keptKey(path))!
}

/** Puts the key of a backup into a data directory without one. @throws SecretKeyError */
export function keepSecretKey(data: string, key: Uint8Array): Promise<void> {
  return keepKey(join(data, fileName), Buffer.from(key).toString('hex'))
}

/** There is no usable key. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

async function keptKey(path: string): Promise<Uint8Array | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SecretKeyError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const key = parseKey(text.trim())
  if (key === undefined) throw new SecretKeyError(`${path} does not contain a key of 64 hex digits`)
  return key
}

/** Written completely or not at all; of several processes, the first one writes it and the others read its key. */
async function keepKey(path: string, key: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new SecretKeyError(`${path} cannot be written: ${(error as Error).message}`, { cause: error })
  } finally {
    await unlink(draft).catch(() => {})
  }
}
