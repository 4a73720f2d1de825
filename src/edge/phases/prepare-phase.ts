import { WorkExceededError } from '../../expressions/index.ts'
import type { Credentials, RequestView } from '../../rulesets/fields/request-view.ts'
import type { CredentialLocation, PhaseCredentials, PlanPhase } from '../../rulesets/plan/plan.ts'
import { reportInternal } from '../exchange/report.ts'
import type { InspectionContext } from './context.ts'
import { readBodyForExpressions } from './expression-body.ts'

/**
 * Prepares the parts of a request that the expressions of a phase ask about and that take time: its body, and whether
 * its password has leaked.
 * @returns undefined when there is nothing to wait for; rejects with ClientBodyError
 */
export function preparePhase(
  context: InspectionContext,
  { readsBody, credentials }: Pick<PlanPhase, 'readsBody' | 'credentials'>,
): Promise<void> | undefined {
  if (credentials !== undefined) return findCredentials(context, credentials)
  return readsBody ? readBodyForExpressions(context) : undefined
}

async function findCredentials(
  context: InspectionContext,
  { locations, exposed }: PhaseCredentials,
): Promise<void> {
  await readBodyForExpressions(context)
  const { core, state } = context
  const find = (location: CredentialLocation) => credentialsAt(location, context)
  const found = locations.map(find).find(one => one !== undefined)
  const all = [found, ...exposed.map(find)]
  const leaked = new Map(state.credentials?.leaked)
  for (const password of new Set(all.map(one => one?.password ?? ''))) {
    if (password === '' || password.length > core.limits.checkedPasswordBytesMax) continue
    if (leaked.size === core.limits.checkedPasswordsMax) break
    if (!leaked.has(password)) leaked.set(password, await hasLeaked(context, password))
  }
  state.credentials = {
    detected: found !== undefined || state.credentials?.detected === true,
    passwordLeaked: leaked.get(found?.password ?? '') === true || state.credentials?.passwordLeaked === true,
    leaked,
  }
}

/** Without an answer from the list, the password counts as one that has not leaked. */
async function hasLeaked({ core, facts }: InspectionContext, password: string): Promise<boolean> {
  try {
    return (await core.deps.leakedPasswords?.has(password)) ?? false
  } catch (error) {
    reportInternal(core, facts, error)
    return false
  }
}

function credentialsAt(
  location: (view: RequestView) => Credentials | undefined,
  { state, decisions }: InspectionContext,
): Credentials | undefined {
  try {
    return location(state)
  } catch (error) {
    if (!(error instanceof WorkExceededError)) throw error
    decisions.incomplete ??= 'budget'
    return undefined
  }
}
