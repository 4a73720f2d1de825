import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { openApi } from '../../api.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { notesOf } from './omitted.ts'
import { readResources, readScopes } from './read.ts'
import { filesOf } from './write.ts'

/** `sluice export terraform --output DIR [--account ID]`. */
export async function exportCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['output', 'account'])
  const output = flags.get('output')
  if (words.join(' ') !== 'terraform' || output === undefined)
    throw new UsageError('use `sluice export terraform --output DIR [--account ID]`', { command: 'export' })
  await refuseFull(output)
  const api = await openApi(settings)
  const scopes = await readScopes(api, flags.get('account'))
  const resources = await readResources(api, scopes)
  const files = filesOf(scopes, resources, await notesOf(api, scopes))
  await makeFolder(output)
  for (const [name, text] of files) await writeFile(join(output, name), text, onlyForOwner)
  console.log(`${resources.length} resources in ${[...files.keys()].join(', ')}`)
  console.log(
    `Next: in ${output}, run \`terraform init\` and \`terraform plan\`. It shows imports and no changes.`,
  )
  if (files.has('variables.tf'))
    console.log('Credentials are not exported: give the variables of variables.tf their values first.')
}

/** Addresses, notes and rules of an account are not for other users of the machine. */
const onlyForOwner = { flag: 'wx', mode: 0o600 } as const

/** Before anything is read: no file of an earlier configuration is replaced or mixed with others. */
async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Error(`${folder} is not a folder to write to: ${error.message}`, { cause: error })
  })
  if (names.length > 0) throw new Error(`${folder} is not empty: name a new folder with --output`)
}
