import { readFile } from 'node:fs/promises'
import { type AuthoritySettings, type Issuer, startIssuer } from '../../acme/index.ts'
import { systemClock } from '../../kit/clock.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import type { Logger } from '../observe/logger.ts'
import { countOrder, exposeAcmeNames } from '../observe/metrics.ts'

/**
 * Prepares to order certificates.
 * @returns begins to order; undefined when the settings name no certificate authority
 * @throws if the file of SLUICE_ACME_CA cannot be read
 */
export async function prepareAcme(
  settings: Settings,
  store: Store,
  logger: Logger,
): Promise<(() => Issuer) | undefined> {
  const authority = await authorityOf(settings)
  if (authority === undefined) return undefined
  exposeAcmeNames(() => store.acme.names())
  return () =>
    startIssuer({
      store,
      authority,
      clock: systemClock,
      onOutcome({ name }, outcome) {
        countOrder(outcome.kind)
        const next = new Date(outcome.nextMs).toISOString()
        if (outcome.kind === 'failed')
          logger.error({ name, next }, `no certificate by ACME for ${name}: ${outcome.problem}`)
        else {
          const expires = new Date(outcome.notAfterMs).toISOString()
          logger.info({ name, next, expires }, `${name} has a new certificate by ACME`)
        }
      },
      onError: error => logger.error({ err: error }, 'certificates cannot be ordered by ACME'),
    })
}

async function authorityOf(settings: Settings): Promise<AuthoritySettings | undefined> {
  const { acmeDirectory: directory, acmeEmail: email, acmeCa, acmeEabKid: kid, acmeEabHmacKey } = settings
  if (directory === undefined) return undefined
  return {
    directory,
    email,
    trusted: acmeCa === undefined ? undefined : await caFile(acmeCa),
    externalAccount: kid === undefined ? undefined : { kid, hmacKey: acmeEabHmacKey! },
  }
}

async function caFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    throw new Error(`SLUICE_ACME_CA cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
