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
export function requireAbsent(value: unknown, field: string, reason: string, parent = ''): void {
  if (value === undefined || value === null || value === '' || isEmpty(value)) return
  throw refusal('lbUnsupported', { field, reason }, `${parent}/${field}`)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value as object).length === 0
}
