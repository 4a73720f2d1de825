import { newKey } from '../kit/secrets.ts'
import { checkDestination, destinationNeedsOwnership, verifyOwnership } from '../logpush/index.ts'
import type { OwnershipOwner } from '../logpush/types.ts'
import type { Scope } from '../model/resource.ts'
import type { ApiDeps } from './deps.ts'
import { refusal } from './errors.ts'

/** Who a challenge is for. The signing key is the installation's, made when it is first needed. */
export async function ownerOf(scope: Scope, { store, clock }: ApiDeps): Promise<OwnershipOwner> {
  const name = 'logpush-ownership-key'
  const key = (await store.secrets.get(name)) ?? (await store.secrets.putOnce(name, newKey()))
  return { scope: scope.kind, id: scope.id, key, clock }
}

/**
 * May a job of this account or zone push there? Asks for the ownership challenge where the destination needs one, then
 * writes a probe; in this order, so that nothing is written to a place that is not theirs.
 * @throws ApiError 400 with code 1002
 */
export async function admitDestination(
  destinationConf: string,
  challenge: string,
  scope: Scope,
  deps: ApiDeps,
): Promise<void> {
  if (destinationNeedsOwnership(destinationConf)) {
    const owner = await ownerOf(scope, deps)
    if (!verifyOwnership(challenge, destinationConf, owner)) {
      throw refusal('badOwnership', {}, '/ownership_challenge')
    }
  }
  const { valid, message } = await checkDestination(destinationConf, deps.destinations)
  if (!valid) throw refusal('badDestination', { failure: message }, '/destination_conf')
}
