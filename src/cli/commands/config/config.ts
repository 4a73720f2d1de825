import { createInterface } from 'node:readline/promises'
import { openApi } from '../../api.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { readScopes } from '../export/read.ts'
import { applyPlan } from './apply.ts'
import { exportFiles } from './export.ts'
import { readFiles } from './files.ts'
import type { Owner } from './kind.ts'
import { planOf } from './plan.ts'
import { planText } from './plan-text.ts'

const usage = 'use `sluice config export DIR`, `sluice config diff DIR` or `sluice config apply DIR [--yes]`'

/** `sluice config`. */
export async function configCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['account'], ['yes'])
  const [action, folder, ...rest] = words
  const isKnown = action === 'export' || action === 'diff' || action === 'apply'
  if (!isKnown || folder === undefined || rest.length > 0 || (flags.has('yes') && action !== 'apply'))
    throw new UsageError(usage, { command: 'config' })
  try {
    const files = action === 'export' ? [] : await readFiles(folder)
    const api = await openApi(settings)
    const owners = await ownersOf(api, flags.get('account'))
    if (action === 'export') {
      for (const line of await exportFiles(api, owners, folder)) console.log(line)
      return
    }
    const plan = await planOf(api, files, owners, process.env)
    console.log(planText(plan))
    if (action === 'diff') {
      if (plan.steps.length > 0) process.exitCode = 1
      return
    }
    if (plan.steps.length === 0) return
    if (!flags.has('yes') && !(await isConfirmed())) throw new Error('nothing was changed')
    await applyPlan(api, plan)
    console.log('Done.')
  } catch (error) {
    if (action !== 'diff') throw error
    // 1 says that there are differences.
    console.error(`sluice: ${(error as Error).message}`)
    process.exitCode = 2
  }
}

async function ownersOf(
  api: Awaited<ReturnType<typeof openApi>>,
  account: string | undefined,
): Promise<readonly Owner[]> {
  const scopes = await readScopes(api, account)
  const accountId = scopes[0]!.id
  return scopes.map(({ kind, id, domain }) => ({
    scope: kind,
    id,
    accountId,
    name: kind === 'account' ? 'account' : domain,
  }))
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('the input is not a terminal: name --yes', { command: 'config' })
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question('Apply this plan? [y/N] ')).trim())
  } finally {
    lines.close()
  }
}
