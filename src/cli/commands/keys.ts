import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { decryptMatchedData, newMatchedDataKeys } from '../../kit/matched-data.ts'
import { UsageError } from '../usage.ts'

const usage = 'use `sluice keys generate` or `sluice keys decrypt -k FILE [BLOB or -]`'

/** The output of `sluice keys --help`. */
export const keysHelp = [
  'sluice keys generate',
  '  Makes a key pair for payload logging and prints it as JSON: {"private_key": …, "public_key": …}. The public key',
  '  goes into `matched_data.public_key` of a rule that executes a managed ruleset. Keep the private key.',
  '',
  'sluice keys decrypt -k FILE [BLOB or -]',
  '  Decrypts `encrypted_matched_data` of an event. FILE has the private key: the key itself, or the JSON that',
  '  `generate` prints. BLOB is a file with the encrypted text; without it, and with -, it is read from standard input.',
  '',
  'Example:',
  '  sluice keys generate > keys.json',
  "  jq -r '.Metadata.encrypted_matched_data' event.json | sluice keys decrypt -k keys.json",
].join('\n')

/** `sluice keys generate | decrypt`. Compatible with Cloudflare's matched-data-cli. Needs no database. */
export async function keysCommand(words: readonly string[]): Promise<void> {
  const [verb, ...rest] = words
  if (verb === 'generate' && rest.length === 0) {
    const { privateKey, publicKey } = await newMatchedDataKeys()
    console.log(JSON.stringify({ private_key: privateKey, public_key: publicKey }, undefined, 2))
    return
  }
  if (verb !== 'decrypt') throw new UsageError(usage)
  const { keyFile, blobFile } = filesOf(rest)
  const privateKey = privateKeyIn(await read(keyFile))
  const blob = blobFile === '-' ? await textOf(process.stdin) : await read(blobFile)
  process.stdout.write(await decryptMatchedData(privateKey, blob))
}

function filesOf(words: readonly string[]): { readonly keyFile: string; readonly blobFile: string } {
  const files: string[] = []
  let keyFile: string | undefined
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (word === '-k' || word === '--private-key-file') keyFile = words[++index]
    else if (word.startsWith('-') && word !== '-') throw new UsageError(usage)
    else files.push(word)
  }
  if (keyFile === undefined || files.length > 1) throw new UsageError(usage)
  return { keyFile, blobFile: files[0] ?? '-' }
}

/** The key alone, or as `generate` prints it. */
function privateKeyIn(content: string): string {
  if (!content.trimStart().startsWith('{')) return content
  try {
    const { private_key: key } = JSON.parse(content) as { private_key?: unknown }
    if (typeof key === 'string') return key
  } catch {
    // Reported below.
  }
  throw new Error('the key file holds JSON without a private_key')
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
