export { createApi } from './create-api.ts'
export type { ApiDeps } from './deps.ts'
export { apiErrors } from './errors.ts'
export { domainName, originUrl } from './zone-input.ts'
