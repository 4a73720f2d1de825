import type { JsonObject } from '../../model/resource.ts'
import { type Api, openApi } from '../api.ts'
import { parseCommandLine, UsageError } from '../usage.ts'

/** The output of `sluice rollout --help`. */
export const rolloutHelp = `sluice rollout: staged changes, and how far they have come

  sluice rollout status [--json]
      The state, and a line for each edge: whether it takes changes first and has them, and its requests since then, the
      mitigated and the failed ones. The state is off, idle (all edges have the same changes), staged (the first
      edges have more) or halted (the changes were withdrawn, and wait for a decision).

      --json            the answer of the API, for programs

  sluice rollout proceed
      Brings all changes to every edge now.

  sluice rollout go-back
      Withdraws staged changes from the first edges.

  sluice rollout retry
      Stages withdrawn changes again, with all changes since then.

The settings SLUICE_ROLLOUT_SHARE and SLUICE_ROLLOUT_PERIOD turn staging on. The command asks the API at --api-listen with
the token of the data directory, or at CLOUDFLARE_BASE_URL with CLOUDFLARE_API_TOKEN.

Example:
  sluice rollout status --data ./data`

const usage = 'use `sluice rollout status [--json]`, `proceed`, `go-back` or `retry`'

/** The actions of the API, by their words on the command line. */
const actions = new Map([
  ['proceed', 'proceed'],
  ['go-back', 'go_back'],
  ['retry', 'retry'],
])

/** `sluice rollout status`, `proceed`, `go-back` and `retry`. */
export async function rolloutCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['json'])
  const [verb, ...rest] = words
  const action = actions.get(verb ?? '')
  if (rest.length > 0 || (verb !== 'status' && action === undefined))
    throw new UsageError(usage, { command: 'rollout' })
  const api = await openApi(settings)
  const path = await pathOf(api)
  const rollout = (await (action === undefined ? api.get(path) : api.send('POST', path, { action }))) as State
  console.log(flags.has('json') ? JSON.stringify(rollout, undefined, 2) : textOf(rollout))
}

interface State extends JsonObject {
  readonly state: string
  readonly changes: number
  readonly began_on?: string
  readonly reason?: string
  readonly edges: readonly {
    readonly id: string
    readonly first: boolean
    readonly has_changes: boolean
    readonly requests: number
    readonly mitigated: number
    readonly failed: number
  }[]
}

/** A roll-out covers the installation; every account has it. */
async function pathOf(api: Api): Promise<string> {
  const [account] = await api.list('/accounts')
  if (account === undefined) throw new Error('the token may read no account')
  return `/accounts/${account['id']}/rollout`
}

function textOf({ state, changes, began_on: began, reason, edges }: State): string {
  const about = [
    ...(changes === 0 ? [] : [`${changes} changes`]),
    ...(began === undefined ? [] : [`since ${began}`]),
    ...(reason === undefined ? [] : [reason]),
  ]
  const lines = edges.map(
    ({ id, first, has_changes, requests, mitigated, failed }) =>
      `${id}  ${first ? 'first' : 'later'}  ${has_changes ? 'has the changes' : 'without them'}  ${requests} requests, ${mitigated} mitigated, ${failed} failed`,
  )
  return [[state, ...about].join(', '), ...lines].join('\n')
}
