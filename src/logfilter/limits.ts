import { limit, limits } from '../kit/limits.ts'

export const logFilterLimits = limits('Logpush', {
  filterBytesMax: limit(1000, 'bytes', 'UTF-8 bytes of a filter; more → 400.'),
  filterOperatorsMax: limit(30, 'count', 'Criteria, `and` and `or` of a filter, each one; more → 400.'),
  filterDepthMax: limit(128, 'count', 'Objects and arrays inside one another in a filter; deeper → 400.'),
})
