import type { Unsupported } from '../../model/unsupported.ts'
import { refusal } from '../http/errors.ts'

/** @throws ApiError 400 */
export function requireValue(fault: string | undefined, value: unknown, pointer: string): void {
  if (fault === undefined) return
  const field = pointer.split('/').findLast(part => !/^\d*$/.test(part)) ?? pointer
  throw refusal('badValue', { value: String(value).slice(0, 100), field, reason: fault }, pointer)
}

/**
 * @param parent pointer of the object that has the field
 * @throws ApiError 400 for a member that promises something that Sluice does not do
 */
export function requireSupported(unsupported: Unsupported | undefined, parent = ''): void {
  if (unsupported === undefined) return
  const { field, reason } = unsupported
  throw refusal('lbUnsupported', { field, reason }, `${parent}/${field}`)
}
