import type { JsonObject } from '../../model/resource.ts'
import { type Api, openApi } from '../api.ts'
import { parseCommandLine, UsageError } from '../usage.ts'

/** The output of `sluice rollout --help`. */
export const rolloutHelp = `sluice rollout: staged changes, and how far they have come

  sluice rollout status [--json]
      The state, the requests of the first edges and of the others since the changes began, and the next step. Then a
      line for each edge: whether it takes changes first and has them, and its requests, the mitigated and the failed
      ones. The state is off, idle (all edges have the same changes), staged (the first edges have more) or halted
      (the changes were withdrawn, and wait for a decision).

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
  readonly state: 'off' | 'idle' | 'staged' | 'halted'
  readonly share: number
  readonly changes: number
  readonly first_edges: readonly string[]
  readonly began_on?: string
  readonly ends_on?: string
  readonly reason?: string
  readonly edges: readonly Edge[]
}

interface Edge extends JsonObject {
  readonly id: string
  readonly first: boolean
  readonly has_changes: boolean
  readonly requests: number
  readonly mitigated: number
  readonly failed: number
}

/** A roll-out covers the installation; every account has it. */
async function pathOf(api: Api): Promise<string> {
  const [account] = await api.list('/accounts')
  if (account === undefined) throw new Error('the token may read no account')
  return `/accounts/${account['id']}/rollout`
}

function textOf(rollout: State): string {
  const { state, edges } = rollout
  const lines = edges.map(
    ({ id, first, has_changes, requests, mitigated, failed }) =>
      `${id}  ${first ? 'first' : 'later'}  ${has_changes ? 'has the changes' : 'without them'}  ${requests} requests, ${mitigated} mitigated, ${failed} failed`,
  )
  const watched =
    state === 'staged' || state === 'halted'
      ? [
          `first edges: ${trafficText(edges.filter(({ first }) => first))}`,
          `other edges: ${trafficText(edges.filter(({ first }) => !first))}`,
        ]
      : []
  return [stateText(rollout), ...watched, `next: ${nextText(rollout)}`, ...lines].join('\n')
}

function stateText({ state, share, changes, began_on: began, reason, first_edges: first }: State): string {
  if (state === 'off') return 'off'
  const edges = `${count(first.length, 'first edge')} (a share of ${share} %)`
  if (state === 'idle') return `idle, ${edges}`
  return [
    state,
    count(changes, 'change'),
    `since ${began}`,
    edges,
    ...(reason === undefined ? [] : [reason]),
  ].join(', ')
}

/** The figures that are compared. */
function trafficText(edges: readonly Edge[]): string {
  const sum = (key: 'requests' | 'mitigated' | 'failed') =>
    edges.reduce((total, edge) => total + edge[key], 0)
  const requests = sum('requests')
  const percent = (part: number) => (requests === 0 ? '0 %' : `${((100 * part) / requests).toFixed(1)} %`)
  return `${requests} requests, ${percent(sum('mitigated'))} mitigated, ${percent(sum('failed'))} failed`
}

function nextText({ state, share, ends_on: ends }: State): string {
  if (state === 'staged')
    return `every edge takes the changes on ${ends}, unless their figures jump; \`sluice rollout proceed\` does it now, \`go-back\` withdraws them`
  if (state === 'halted')
    return '`sluice rollout retry` stages the changes again with all since then, `proceed` brings them to every edge'
  if (state === 'idle') return 'the first edges take the next change'
  if (share > 0) return 'changes are staged once a control process has begun'
  return 'every edge takes each change at once; SLUICE_ROLLOUT_SHARE turns staging on'
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
