import { randomBytes } from 'node:crypto'
import type { Store } from '../../store/index.ts'

export interface KeyStore {
  readonly secrets: Pick<Store['secrets'], 'putOnce'>
}

/** The id of this installation's database: 12 hex digits. */
export function installationId(store: KeyStore): Promise<string> {
  return store.secrets.putOnce('installation', randomBytes(6).toString('hex'))
}

/** Signs challenges and clearances; one key for the whole installation, generated at its first use. */
export function clearanceKey(store: KeyStore): Promise<string> {
  return store.secrets.putOnce('clearance-key', randomBytes(32).toString('hex'))
}
