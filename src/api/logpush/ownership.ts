import { newKey } from '../../kit/secrets.ts'
import { checkDestination, destinationNeedsOwnership, ownershipFault } from '../../logpush/index.ts'
import type { OwnershipOwner } from '../../logpush/types.ts'
import type { Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { refusal } from '../http/errors.ts'

/** The owner of a challenge. The signing key belongs to the installation and is created on first use. */
export async function ownerOf(scope: Scope, { store, clock }: ApiDeps): Promise<OwnershipOwner> {
  const name = 'logpush-ownership-key'
  const key = (await store.secrets.get(name)) ?? (await store.secrets.putOnce(name, newKey()))
  return { scope: scope.kind, id: scope.id, key, clock }
}

/**
 * Admits a destination for a job of this account or zone. It checks the ownership challenge, where the destination needs
 * one, before it writes a probe, so that it never writes to a foreign destination.
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
    const reason = ownershipFault(challenge, destinationConf, owner)
    if (reason !== undefined) throw refusal('badOwnership', { reason }, '/ownership_challenge')
  }
  const { valid, message } = await checkDestination(destinationConf, deps.destinations)
  if (!valid) throw refusal('badDestination', { failure: message }, '/destination_conf')
}
