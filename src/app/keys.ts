import { randomBytes } from 'node:crypto'
import type { Store } from '../store/index.ts'

/** Signs challenges and clearances; one for the whole installation, made when it is first needed. */
export function clearanceKey(store: Store): Promise<string> {
  return store.secrets.putOnce('clearance-key', randomBytes(32).toString('hex'))
}
