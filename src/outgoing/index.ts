export { guardedConnector } from './connector.ts'
export { failureWords } from './failure-words.ts'
export { guardedLookup } from './lookup.ts'
export { type AddressPolicy, AddressRefusedError, addressProblem, refusedAddress } from './policy.ts'
